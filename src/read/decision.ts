import { StudyFollower } from "../analysis/decide/follow-study.ts";
import type { Decision } from "../core/decider.ts";
import type { RunRecord } from "../core/run.ts";
import type { StudyFile } from "../core/study-folder.ts";
import { Plan } from "../plan/plan.ts";

/** What a study that decides as it goes says, from its records alone; undefined for one that doesn't. */
export function readDecision(file: StudyFile, records: readonly RunRecord[]): Decision | undefined {
  const { study, program, metrics } = file;
  if (study.analysis.decide === undefined) return undefined;
  const follower = new StudyFollower(study, new Plan(study, program).runs(), metrics);
  for (const record of records) if (record.outcome.status !== "cancelled") follower.note(record);
  return follower.decision;
}
