import type { Owner } from "../core/run.ts";
import { MODEL_FAILURES } from "../models/model.ts";
import type { GatewayCall } from "./call.ts";

/**
 * Whose doing it is that an agent's work is no result, by its calls: without one answer, or where the last call of its
 * main model got none, the agent could not do its work, whatever it left. Undefined where what it left is its own.
 */
export function blame(
  calls: readonly GatewayCall[],
  exit: string,
): { owner: Owner; reason: string } | undefined {
  if (calls.length === 0)
    return {
      owner: "infrastructure",
      reason: `the agent called no model before it ended (exit ${exit}): see logs/agent.stderr.txt`,
    };
  const main = mainModel(calls);
  const last = calls.findLast(({ model }) => model === main)!;
  if (last.failure === undefined || last.failure.isOwnLimit) return undefined;
  const { kind, text } = last.failure;
  const { owner } = MODEL_FAILURES[kind];
  const answered = calls.filter(({ failure }) => failure === undefined).length;
  if (owner === "agent" && answered > 0) return undefined;
  const of = answered === 0 ? "no call to its model was answered" : "its model stopped answering";
  return { owner: owner === "agent" ? "infrastructure" : owner, reason: `${of}: ${text}` };
}

/** Small models that name a session or summarise it are not what the agent works with. */
function mainModel(calls: readonly GatewayCall[]): string | null {
  const counts = new Map<string | null, number>();
  for (const { model } of calls) counts.set(model, (counts.get(model) ?? 0) + 1);
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most))[0];
}
