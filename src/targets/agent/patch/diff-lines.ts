/** One line of an edit script: kept, taken out, or put in. */
export type Edit = { kind: " " | "-" | "+"; line: string };

/** Beyond this many pairs of lines the middle is replaced as a whole: right, though not the shortest. */
const MOST_PAIRS = 4_000_000;

/** How one list of lines becomes another, by a longest common subsequence of what differs between their ends. */
export function diffLines(before: readonly string[], after: readonly string[]): Edit[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let endA = before.length;
  let endB = after.length;
  while (endA > start && endB > start && before[endA - 1] === after[endB - 1]) {
    endA--;
    endB--;
  }
  return [
    ...before.slice(0, start).map(kept),
    ...diffMiddle(before.slice(start, endA), after.slice(start, endB)),
    ...before.slice(endA).map(kept),
  ];
}

function diffMiddle(a: readonly string[], b: readonly string[]): Edit[] {
  const removed = (line: string): Edit => ({ kind: "-", line });
  const added = (line: string): Edit => ({ kind: "+", line });
  if (a.length * b.length > MOST_PAIRS) return [...a.map(removed), ...b.map(added)];
  // lengths[i * width + j]: the longest common subsequence of what follows line i of a and line j of b.
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        a[i] === b[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
    }
  }
  const edits: Edit[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      edits.push(kept(a[i]!));
      i++;
      j++;
    } else if (
      i < a.length &&
      (j === b.length || lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!)
    ) {
      edits.push(removed(a[i++]!));
    } else edits.push(added(b[j++]!));
  }
  return edits;
}

function kept(line: string): Edit {
  return { kind: " ", line };
}
