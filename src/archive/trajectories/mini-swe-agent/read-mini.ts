import { isSubmitted } from "../../../core/exit-category.ts";
import type { Trajectory } from "../../../core/trajectory.ts";
import { instanceInName } from "../instance-in-name.ts";
import { asObjects, field, isObject, known, listAt, numberAt, objectsAt, textAt } from "../json-fields.ts";
import { BrokenTrajectory } from "../reader.ts";
import { readConversation, tokensOfTurns } from "./read-conversation.ts";

/** Both formats of files; a bare list of messages is a file without its `info`. */
export function readMini(value: unknown, { name, format }: { name: string; format: string }): Trajectory {
  const isBare = Array.isArray(value);
  if (!isBare && !isObject(value)) throw new BrokenTrajectory("no list of messages");
  if (!isBare && listAt(value, "messages") === undefined)
    throw new BrokenTrajectory("messages: expected a list");
  const messages = isBare ? asObjects(value, "messages") : objectsAt(value, "messages");
  const { wallMs, ...conversation } = readConversation(messages);
  const info = isBare ? undefined : field(value, "info");
  const stats = field(info, "model_stats");
  const config = field(info, "config");
  const end = field(messages.at(-1), "extra");
  const exitStatus = textAt(info, "exit_status") ?? textAt(end, "exit_status");
  const submission = textAt(info, "submission") ?? textAt(end, "submission");
  const limits = known({
    calls: numberAt(config, "agent", "step_limit") || undefined,
    costUsd: numberAt(config, "agent", "cost_limit") || undefined,
  });
  return {
    format,
    instance: textAt(value, "instance_id") ?? textAt(info, "instance_id") ?? instanceInName(name),
    model: textAt(config, "model", "model_name"),
    exitStatus,
    // Where nothing was submitted, the file has an empty text all the same.
    submission: submission === "" && !isSubmitted(exitStatus) ? null : submission,
    ...conversation,
    totals: known({
      ...tokensOfTurns(conversation.turns),
      costUsd: numberAt(stats, "instance_cost"),
      calls: numberAt(stats, "api_calls"),
      wallMs,
    }),
    ...(Object.keys(limits).length > 0 && { limits }),
  };
}
