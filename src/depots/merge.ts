import { parseRecord } from "../core/read-journal.ts";
import { hashOf, isFailure, type RunRecord } from "../core/run.ts";
import type { StudyFile } from "../core/study-folder.ts";

/**
 * The lines of two journals of one study as one journal, none lost and none twice. The last line of a run is its
 * result. Where one side knew the other's lines and added some, those come last. Where both went on by themselves, a
 * result stands over a failure, and otherwise the one that ended later. So it doesn't matter who pulls from whom.
 */
export function mergeJournals(ours: readonly string[], theirs: readonly string[]): string[] {
  const known = new Set(ours);
  const news = theirs.filter((line) => !known.has(line));
  if (news.length === 0) return [...ours];
  const theirSet = new Set(theirs);
  const own = ours.filter((line) => !theirSet.has(line));
  if (own.length === 0) return [...theirs];
  const ownByRun = byRun(own);
  const newsByRun = byRun(news);
  const moved = new Set<string>();
  const added: string[] = [];
  for (const [run, lines] of newsByRun) {
    const rivals = ownByRun.get(run) ?? [];
    for (const { line } of rivals) moved.add(line);
    const both = rivals.length === 0 ? lines : [...rivals, ...lines].sort(byStanding);
    for (const { line } of both) added.push(line);
  }
  return [...ours.filter((line) => !moved.has(line)), ...added];
}

interface Line {
  line: string;
  record: RunRecord;
}

/** What is no record has no run, and is left where it is. */
function byRun(lines: readonly string[]): Map<string, Line[]> {
  const runs = new Map<string, Line[]>();
  for (const line of lines) {
    const record = parseRecord(line);
    if ("problem" in record) continue;
    const hash = hashOf(record.id);
    const own = runs.get(hash);
    if (own) own.push({ line, record });
    else runs.set(hash, [{ line, record }]);
  }
  return runs;
}

function byStanding(a: Line, b: Line): number {
  return (
    Number(isResult(a.record)) - Number(isResult(b.record)) ||
    endOf(a.record) - endOf(b.record) ||
    (a.line < b.line ? -1 : 1)
  );
}

function isResult({ outcome }: RunRecord): boolean {
  return !isFailure(outcome) && outcome.status !== "cancelled";
}

function endOf({ startedAtMs, wallMs }: RunRecord): number {
  return startedAtMs + wallMs;
}

/** The lines of two files to which people and programs only append, in the order of their times where both went on. */
export function mergeLines(ours: readonly string[], theirs: readonly string[]): string[] {
  const known = new Set(ours);
  const news = theirs.filter((line) => !known.has(line));
  if (news.length === 0) return [...ours];
  const theirSet = new Set(theirs);
  if (ours.every((line) => theirSet.has(line))) return [...theirs];
  const timed = [...ours, ...news].map((line) => ({ line, at: timeOf(line) }));
  return timed.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)).map(({ line }) => line);
}

/** An ISO time sorts as text. What has none stays where it is, before all others. */
function timeOf(line: string): string {
  return /"at":"([^"]*)"/.exec(line)?.[1] ?? "";
}

/** Of several study.json the newest one, with the launches of all. */
export function mergeStudyFiles(files: readonly StudyFile[]): StudyFile | undefined {
  const newest = files.reduce<StudyFile | undefined>(
    (best, file) => (best && lastAt(best) >= lastAt(file) ? best : file),
    undefined,
  );
  if (!newest) return undefined;
  const launches = new Map(
    files.flatMap((file) =>
      file.launches.map((launch) => [JSON.stringify([launch.at, launch.command]), launch]),
    ),
  );
  for (const launch of newest.launches) launches.set(JSON.stringify([launch.at, launch.command]), launch);
  return {
    ...newest,
    launches: [...launches.values()].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)),
  };
}

function lastAt({ launches }: StudyFile): string {
  return launches.at(-1)?.at ?? "";
}
