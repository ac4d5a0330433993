import { existsSync, readFileSync } from "node:fs";
import { type LateAttempt, parseLateAttempts } from "../core/late-attempt.ts";

/** Tries of a study, or of one of its runs, that came too late to be its result; most studies have none. */
export function readLateAttempts(studyDir: string, runId?: string): LateAttempt[] {
  const path = `${studyDir}/late.jsonl`;
  if (!existsSync(path)) return [];
  const all = parseLateAttempts(readFileSync(path, "utf8"));
  return runId === undefined ? all : all.filter(({ id }) => id === runId);
}

/** What they have cost: a part of what the study has cost, which no record tells. */
export function lateCostUsd(studyDir: string): number {
  return readLateAttempts(studyDir).reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0);
}
