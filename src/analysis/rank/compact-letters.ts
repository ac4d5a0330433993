/**
 * Letters such that two arms share one exactly where they can't be told apart.
 * Source: H.-P. Piepho, "An algorithm for a letter-based representation of all-pairwise comparisons",
 * J. Comput. Graph. Stat. 13 (2004), 456-466: insert and absorb.
 */
export function compactLetters(count: number, differ: (i: number, j: number) => boolean): string[] {
  let columns: Set<number>[] = [new Set(Array.from({ length: count }, (_, i) => i))];
  for (let i = 0; i < count; i++) {
    for (let j = i + 1; j < count; j++) {
      if (!differ(i, j)) continue;
      columns = absorb(
        columns.flatMap((column) =>
          column.has(i) && column.has(j) ? [without(column, j), without(column, i)] : [column],
        ),
      );
    }
  }
  columns.sort((a, b) => Math.min(...a) - Math.min(...b) || Math.max(...a) - Math.max(...b));
  return Array.from({ length: count }, (_, i) =>
    columns.map((column, k) => (column.has(i) ? letter(k) : "")).join(""),
  );
}

function without(column: Set<number>, member: number): Set<number> {
  return new Set([...column].filter((other) => other !== member));
}

/** Columns that another column holds say nothing more. */
function absorb(columns: Set<number>[]): Set<number>[] {
  return columns.filter(
    (column, k) =>
      !columns.some(
        (other, m) =>
          m !== k && [...column].every((member) => other.has(member)) && (other.size > column.size || m < k),
      ),
  );
}

/** a to z, then A to Z, then a2, b2, ... */
function letter(index: number): string {
  const all = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const round = Math.floor(index / all.length);
  return `${all[index % all.length]}${round === 0 ? "" : round + 1}`;
}
