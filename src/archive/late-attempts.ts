import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { type LateAttempt, parseLateAttempts } from "../core/late-attempt.ts";
import { addUsd } from "../core/money.ts";
import type { RunRecord } from "../core/run.ts";
import { STUDY_FILES } from "../core/study-folder.ts";
import { appendText, readFolderText } from "../host/files.ts";

/** Tries of a study, or of one of its runs, that came too late to be its result; most studies have none. */
export function readLateAttempts(studyDir: string, runId?: string): LateAttempt[] {
  const path = `${studyDir}/${STUDY_FILES.late}`;
  if (!existsSync(path)) return [];
  const all = parseLateAttempts(readFolderText(path));
  return runId === undefined ? all : all.filter(({ id }) => id === runId);
}

/** Keeps a try that became no record, for what it has cost. Reasons are left out: they may hold secrets. */
export function addLateAttempt(studyDir: string, record: RunRecord): void {
  const { id, attempt, outcome, metrics, startedAtMs, wallMs, costUsd = 0 } = record;
  const { status } = outcome;
  const worker = hostname();
  const late: LateAttempt = {
    id,
    attempt,
    worker,
    outcome: { status },
    metrics,
    startedAtMs,
    wallMs,
    costUsd,
  };
  appendText(`${studyDir}/${STUDY_FILES.late}`, `${JSON.stringify(late)}\n`);
}

/** What they have cost: a part of what the study has cost, which no record tells. */
export function lateCostUsd(studyDir: string): number {
  return readLateAttempts(studyDir).reduce((sum, { costUsd }) => addUsd(sum, costUsd ?? 0), 0);
}
