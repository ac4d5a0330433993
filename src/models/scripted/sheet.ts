import { remember } from "./remember.ts";

/** The part of a file that readings in sight have shown, by line numbers. */
export interface Sheet {
  lines: ReadonlyMap<number, string>;
  /** Lines that the file has. */
  total: number;
  /** Lines that the longest reading showed: as many fit into one. */
  most: number;
}

export interface Gap {
  from: number;
  to: number;
}

/** Stands in a sheet's text where lines are missing; no tool prints it. */
const MISSING = "\f";

/** What one reading shows, where it says which lines of how many they are and is not all of them; else undefined. */
export const readPart = remember((output: string): Sheet | null => {
  const [heading = "", ...rest] = output.split("\n");
  const total = Number(/\(lines \d+-\d+ of (\d+)\)$/.exec(heading)?.[1] ?? Number.NaN);
  if (Number.isNaN(total)) return null;
  const omitted = rest.findIndex((line) => /^\(\d+ characters omitted\)$/.test(line));
  const lines = new Map<number, string>();
  for (const [i, line] of rest.entries()) {
    // A cut goes through the lines on both its sides.
    if (omitted >= 0 && Math.abs(i - omitted) <= 1) continue;
    const found = /^(\d+)\t(.*)$/.exec(line);
    if (found) lines.set(Number(found[1]), found[2]!);
  }
  return lines.size === total ? null : { lines, total, most: lines.size };
});

/** Both parts together; the newer one knows better. */
export function joinParts(before: Sheet | undefined, now: Sheet): Sheet {
  if (!before || before.total !== now.total) return now;
  return {
    lines: new Map([...before.lines, ...now.lines]),
    total: now.total,
    most: Math.max(before.most, now.most),
  };
}

/** The lines as text, with a mark where some are missing. */
export function sheetText({ lines, total }: Sheet): string {
  const shown: string[] = [];
  for (let line = 1; line <= total; line++) {
    const text = lines.get(line);
    if (text !== undefined) shown.push(text);
    else if (shown.at(-1) !== MISSING) shown.push(MISSING);
  }
  return shown.join("\n");
}

/** Whether a piece of a sheet's text misses lines. */
export function isCut(text: string): boolean {
  return text.includes(MISSING);
}

/** The next lines to read: from the first that is missing, as many as fit into one reading. */
export function firstGap({ lines, total, most }: Sheet): Gap | undefined {
  let from = 1;
  while (lines.has(from)) from++;
  if (from > total) return undefined;
  let to = from;
  while (to < total && to - from + 1 < Math.max(1, most) && !lines.has(to + 1)) to++;
  return { from, to };
}
