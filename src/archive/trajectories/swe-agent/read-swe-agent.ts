import { isSubmitted } from "../../../core/exit-category.ts";
import type { Trajectory } from "../../../core/trajectory.ts";
import { instanceInName } from "../instance-in-name.ts";
import {
  booleanAt,
  field,
  isObject,
  type JsonObject,
  listAt,
  numberAt,
  objectsAt,
  textAt,
} from "../json-fields.ts";
import { BrokenTrajectory } from "../reader.ts";
import { accountOf, accountsOf, sumAccounts } from "./accounts.ts";
import { openingOf, turnsOfHistory } from "./read-history.ts";
import { turnOf } from "./read-steps.ts";
import { configOf } from "./replay-config.ts";

/** Old files name the container instead of the task. */
const NO_INSTANCE = new Set(["swe_main", ""]);

/** Anything with steps, a conversation, or attempts of both: what all versions and forks have in common. */
export function isSweAgent(value: unknown): value is JsonObject {
  return (
    isObject(value) && ["trajectory", "history", "attempts"].some((key) => listAt(value, key) !== undefined)
  );
}

export function readSweAgent(value: unknown, { name, format }: { name: string; format: string }): Trajectory {
  if (!isSweAgent(value)) throw new BrokenTrajectory("no trajectory, history or attempts");
  const top = field(value, "info");
  if (top !== undefined && top !== null && !isObject(top))
    throw new BrokenTrajectory("info: expected an object");
  const chosen = chosenAttempt(value);
  const info = field(value, "info") ?? field(chosen, "info");
  const steps = objectsAt(chosen, "trajectory");
  const history = objectsAt(chosen, "history");
  const turns = steps.length > 0 ? steps.map((step, i) => turnOf(step, i + 1)) : turnsOfHistory(history);
  const config = configOf(field(value, "replay_config") ?? field(chosen, "replay_config"));
  const environment = textAt(value, "environment") ?? textAt(chosen, "environment");
  const exitStatus = textAt(info, "exit_status");
  const opening = openingOf(history);
  const summaries = (listAt(chosen, "summaries") ?? []).flatMap((one) => textAt(one, "summary") ?? []);
  const accounts: Pick<Trajectory, "totals" | "parts"> =
    field(value, "info") === undefined ? attemptsTogether(value) : accountsOf(info);
  const trajectory: Trajectory = {
    format,
    instance:
      textAt(info, "instance_id") ??
      (environment !== null && !NO_INSTANCE.has(environment) ? environment : instanceInName(name)),
    model: textAt(info, "model") ?? config.model,
    exitStatus,
    submission: submissionOf(info, exitStatus),
    turns,
    totals: accounts.totals,
  };
  const wallMs = numberAt(info, "wall_ms");
  if (wallMs !== undefined) trajectory.totals.wallMs = wallMs;
  if (accounts.parts) trajectory.parts = accounts.parts;
  if (opening.length > 0) trajectory.opening = opening;
  if (config.limits) trajectory.limits = config.limits;
  if (summaries.length > 0) trajectory.summaries = summaries;
  const isResolved = booleanAt(info, "resolved");
  if (isResolved !== undefined) trajectory.isResolved = isResolved;
  return trajectory;
}

/** A retrying agent's best attempt, or its last one while none is chosen; otherwise the file itself. */
function chosenAttempt(value: JsonObject): JsonObject {
  if (listAt(value, "trajectory") || listAt(value, "history")) return value;
  const attempts = objectsAt(value, "attempts");
  return attempts[numberAt(value, "info", "best_attempt_idx") ?? attempts.length - 1] ?? value;
}

function attemptsTogether(value: JsonObject): Pick<Trajectory, "totals"> {
  const accounts = objectsAt(value, "attempts").flatMap((attempt) => {
    const account = accountOf(field(attempt, "info", "model_stats"));
    return account ? [account] : [];
  });
  return { totals: sumAccounts(accounts) };
}

/** A submission of null is a submission of nothing; without one, nothing is known. */
function submissionOf(info: unknown, exitStatus: string | null): string | null {
  const submission = field(info, "submission");
  if (typeof submission === "string") return submission;
  return submission === null && isSubmitted(exitStatus) ? "" : null;
}
