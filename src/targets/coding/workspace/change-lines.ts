const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** Added and removed lines of a patch in git's format; binary changes have none. */
export function changeLines(patch: string): number {
  let count = 0;
  let old = 0;
  let added = 0;
  for (const line of patch.split("\n")) {
    if (old === 0 && added === 0) {
      const hunk = HUNK.exec(line);
      if (hunk) [old, added] = [Number(hunk[1] ?? 1), Number(hunk[2] ?? 1)];
      continue;
    }
    const first = line[0];
    if (first === "\\") continue;
    if (first !== "+") old--;
    if (first !== "-") added--;
    if (first === "+" || first === "-") count++;
  }
  return count;
}
