import { forEachRecord } from "../archive/read-records.ts";
import { type Deviation, hashPlan, type PlanLock } from "../core/plan-lock.ts";
import { hashOf } from "../core/run.ts";
import { STUDY_FILES, type StudyFile } from "../core/study-folder.ts";
import type { Locked } from "../design/locked.ts";
import type { Past } from "../design/standing.ts";
import { appendText, readJsonIfAny, readText } from "../host/files.ts";

/** How the runs of a study came to be, from its folder. */
export function pastOf(file: StudyFile, studyDir: string): Past {
  const { total, launches, study } = file;
  const last = launches.at(-1);
  const looks = readLooks(studyDir);
  return {
    total: study.search === undefined && Number.isFinite(total) ? total : null,
    launches: launches.map(({ at, plan, specHash, analysis }) => ({
      ...{ atMs: Date.parse(at), plan },
      // Older versions did not record it; the file's last state is known.
      analysis: analysis ?? (specHash === last?.specHash ? study.analysis : undefined),
    })),
    looks,
    locked: readLocked(file, studyDir, looks),
  };
}

/** The plan that was locked, and everything that was not done as it says; undefined where none was. */
function readLocked(
  file: StudyFile,
  studyDir: string,
  looks: Past["looks"] = readLooks(studyDir),
): Locked | undefined {
  const { launches } = file;
  const lock = readJsonIfAny<PlanLock>(`${studyDir}/${STUDY_FILES.plan}`);
  const hash = lock?.hash ?? launches.find((launch) => launch.lock !== undefined)?.lock;
  if (hash === undefined) return undefined;
  const deviations: Deviation[] = [];
  if (!lock) deviations.push({ at: launches[0]!.at, text: `${STUDY_FILES.plan} is gone` });
  else if (hashPlan(lock.plan) !== hash)
    deviations.push({ at: lock.at, text: `${STUDY_FILES.plan} was edited: its hash is another one` });
  for (const launch of launches) {
    if (launch.lock !== hash)
      deviations.push({
        at: launch.at,
        text:
          launch.lock === undefined ? "runs were made before it was locked" : "another plan was locked then",
      });
    for (const text of launch.deviations ?? []) deviations.push({ at: launch.at, text });
  }
  deviations.push(...repeats(studyDir), ...removals(file, looks));
  return {
    at: lock?.at ?? launches[0]!.at,
    hash,
    analysis: lock?.plan.analysis ?? launches[0]!.analysis ?? {},
    earlier: lock?.earlier ?? [],
    deviations: deviations.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)),
  };
}

/** Runs that were done again though they had a result of their own. */
function repeats(studyDir: string): Deviation[] {
  const done = new Map<string, { startedAtMs: number; isScored: boolean }>();
  let again = 0;
  let lastMs = 0;
  forEachRecord(studyDir, ({ id, outcome, startedAtMs, scored }) => {
    // What broke with the machine, or was cancelled, is no result: the next try is the first.
    if (!["ok", "stopped", "timeout"].includes(outcome.status) && outcome.owner !== "agent") return;
    const run = hashOf(id);
    const before = done.get(run);
    // The first score of an output comes after the run; another one is another try.
    if (before && (before.startedAtMs !== startedAtMs || before.isScored)) {
      again++;
      lastMs = Math.max(lastMs, startedAtMs);
    }
    done.set(run, { startedAtMs, isScored: scored !== undefined });
  });
  if (again === 0) return [];
  const text = `${again} ${again === 1 ? "run was" : "runs were"} done or scored again after a result`;
  return [{ at: new Date(lastMs).toISOString(), text }];
}

/** Results that somebody saw, and that the next launch did not find any more. */
function removals({ launches }: StudyFile, looks: Past["looks"]): Deviation[] {
  return launches.flatMap(({ at, done }) => {
    const seen = looks.filter(({ atMs }) => atMs <= Date.parse(at)).map(({ runs }) => runs);
    const most = Math.max(0, ...seen);
    if (done === undefined || done >= most) return [];
    return [{ at, text: `${most} runs had been seen, and the journal had ${done} left` }];
  });
}

/** Every look at the answer, the oldest first. */
export function readLooks(studyDir: string): Past["looks"] {
  return looksText(studyDir)
    .split("\n")
    .flatMap((line) => {
      try {
        const { at, runs, asked } = JSON.parse(line) as { at: string; runs: number; asked?: unknown };
        const atMs = Date.parse(at);
        if (!Number.isFinite(atMs) || !Number.isSafeInteger(runs)) return [];
        return [{ atMs, runs, ...(typeof asked === "string" && { asked }) }];
      } catch {
        // An empty line, or one of a program that was killed.
        return [];
      }
    });
}

function looksText(studyDir: string): string {
  try {
    return readText(`${studyDir}/${STUDY_FILES.looks}`);
  } catch {
    return "";
  }
}

/**
 * Notes that somebody sees the answer that so many runs give, and what was asked where a locked plan doesn't have it. To
 * look twice at the same is one look. Never a reason for a reader to fail: the folder may be read-only, or somebody else's.
 */
export function noteLook(studyDir: string, runs: number, asked?: string): void {
  const isSame = (look: Past["looks"][number]) => look.runs === runs && look.asked === asked;
  if (runs === 0 || readLooks(studyDir).some(isSame)) return;
  const line = JSON.stringify({ at: new Date().toISOString(), runs, ...(asked !== undefined && { asked }) });
  const isCut = /[^\n]$/.test(looksText(studyDir));
  try {
    appendText(`${studyDir}/${STUDY_FILES.looks}`, `${isCut ? "\n" : ""}${line}\n`);
  } catch {
    // Then this look is not counted.
  }
}
