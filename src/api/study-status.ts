import {
  currentRecords,
  forEachRecord,
  isCurrent,
  lateCostUsd,
  readStudyFile,
} from "../archive/read-records.ts";
import type { Decision } from "../core/decider.ts";
import type { LiveState } from "../core/live-state.ts";
import { addUsd } from "../core/number-text.ts";
import { type FailureGroup, groupFailures, hashOf, isFailure, type RunRecord } from "../core/run.ts";
import { shownName } from "../core/study-folder.ts";
import type { Holder } from "../host/lock.ts";
import { readDecision } from "../read/decision.ts";
import { etaMs, runnerOf } from "../read/runner-of.ts";

export interface StudyStatus {
  name: string;
  studyDir: string;
  total: number | null;
  ok: number;
  stoppedEarly: number;
  failed: number;
  cancelled: number;
  left: number | null;
  /** What a study says that decides as it goes. */
  decision: Decision | null;
  costUsd: number;
  runner: Holder | null;
  /** Nothing more is launched until somebody resumes it. */
  isPaused: boolean;
  running: LiveState["running"];
  etaMs: number | null;
  newestFailures: { id: string; reason: string; at: string }[];
  /** Why runs failed, the most frequent reason first. */
  failures: FailureGroup[];
}

const MOST_FAILURES = 5;

/** How far a study is, from its folder alone: works while it runs, and on a copy. */
export async function studyStatus(studyDir: string): Promise<StudyStatus> {
  const study = readStudyFile(studyDir);
  const isOfNow = study ? isCurrent(study) : () => true;
  const latest = new Map<string, RunRecord["outcome"]["status"]>();
  const failures = new Map<string, Pick<RunRecord, "id" | "outcome">>();
  let newest: StudyStatus["newestFailures"] = [];
  let costUsd = lateCostUsd(studyDir);
  forEachRecord(studyDir, (record) => {
    // All that was spent, as --max-cost counts it: also on tries and parameters of the past.
    costUsd = addUsd(costUsd, record.costUsd ?? 0);
    for (const earlier of record.earlier ?? []) costUsd = addUsd(costUsd, earlier.costUsd ?? 0);
    if (!isOfNow(record)) return;
    latest.set(hashOf(record.id), record.outcome.status);
    failures.delete(hashOf(record.id));
    newest = newest.filter(({ id }) => id !== record.id);
    if (!isFailure(record.outcome)) return;
    const at = new Date(record.startedAtMs + record.wallMs).toISOString();
    failures.set(hashOf(record.id), { id: record.id, outcome: record.outcome });
    newest.push({ id: record.id, reason: record.outcome.reason ?? record.outcome.status, at });
    if (newest.length > MOST_FAILURES) newest.shift();
  });
  const statuses = [...latest.values()];
  const count = (wanted: string) => statuses.filter((status) => status === wanted).length;
  const [ok, stoppedEarly, cancelled] = [count("ok"), count("stopped"), count("cancelled")];
  const runner = await runnerOf(studyDir);
  const live = runner?.live;
  const total = live?.total ?? study?.total ?? null;
  return {
    name: shownName(studyDir, study?.name),
    studyDir,
    total,
    ok,
    stoppedEarly,
    failed: statuses.length - ok - stoppedEarly - cancelled,
    cancelled,
    left: total === null ? null : Math.max(0, total - statuses.length + cancelled),
    decision: (study?.study.analysis.decide && readDecision(study, currentRecords(studyDir))) ?? null,
    costUsd,
    runner: runner?.holder ?? null,
    isPaused: live?.state === "paused",
    running: live?.running ?? [],
    etaMs: live && live.state !== "paused" ? etaMs(live) : null,
    newestFailures: newest.reverse(),
    failures: groupFailures(failures.values()),
  };
}
