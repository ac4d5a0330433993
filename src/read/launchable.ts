import { dirname, relative, resolve } from "node:path";
import type { Launchable } from "../analysis/compare/next-step.ts";
import { shellWord } from "../core/escape.ts";
import type { RunRecord } from "../core/run.ts";
import { IMPORT_DIALECT, type StudyFile } from "../core/study-folder.ts";
import type { Design } from "../design/design.ts";

/** What a next step needs to know of a study: how it is run again, and how long its runs take. */
export function launchableOf(
  { dir, study, records }: { dir: string; study: StudyFile | undefined; records: readonly RunRecord[] },
  design: Design,
): Launchable | null {
  if (!study || study.study.search) return null;
  const units = new Set(design.runs.map(({ unit }) => unit)).size;
  return {
    // What another tool measured has no file that could run again.
    command: study.study.isStamped || study.spec.dialect === IMPORT_DIALECT ? null : commandOf(study, dir),
    unit: design.unit,
    seeds: study.study.seeds,
    runsPerUnit: records.length / Math.max(1, units),
    msPerRun: pace(records),
    pending: Math.max(0, study.total - records.length),
  };
}

/** How long one more run takes: what the runs took together, with as many at a time as there were. */
function pace(records: readonly RunRecord[]): number | null {
  const timed = records
    .filter(({ wallMs, startedAtMs }) => wallMs > 0 && startedAtMs > 0)
    .toSorted((a, b) => a.startedAtMs - b.startedAtMs);
  if (timed.length === 0) return null;
  let busy = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const { startedAtMs, wallMs } of timed) {
    const end = startedAtMs + wallMs;
    busy += Math.max(0, end - Math.max(until, startedAtMs));
    until = Math.max(until, end);
  }
  return busy / timed.length;
}

/** Options that are about one launch, not about which runs there are, with the number of words after each. */
const OF_ONE_LAUNCH: Record<string, number> = {
  ...{ "--seeds": 1, "--rerun": 1, "--fresh": 0, "--resume": 0, "--dry-run": 0, "--fail-fast": 0 },
  ...{ "--ui": 0, "--json": 0, "--no-report": 0, "-q": 0, "--quiet": 0, "-v": 0, "-vv": 0, "--verbose": 0 },
};

/** What no shell reads as anything but itself. */
const PLAIN = /^[\w./:=@%+, -]+$/;

/** The last launch's words where they hold here and need no quotes; else the file and where its results are. */
function commandOf({ spec, launches }: StudyFile, dir: string): string {
  const command = launches.at(-1)?.command ?? "";
  const words = command.split(" ");
  const isHere = words.some((word) => resolve(word) === spec.path);
  if (words[0] === "assay" && words[1] === "run" && isHere && PLAIN.test(command))
    return withoutOnce(words).join(" ");
  const file = relative(process.cwd(), spec.path);
  return `assay run ${shellWord(file)} --out-root ${shellWord(relative(process.cwd(), dirname(dir)) || ".")}`;
}

function withoutOnce(words: readonly string[]): string[] {
  const kept: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const skipped = OF_ONE_LAUNCH[words[i]!.split("=")[0]!];
    if (skipped === undefined) kept.push(words[i]!);
    else if (!words[i]!.includes("=")) i += skipped;
  }
  return kept;
}
