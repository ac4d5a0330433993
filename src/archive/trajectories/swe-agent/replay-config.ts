import { field, known, numberAt, textAt } from "../json-fields.ts";

interface Config {
  model: string | null;
  limits: { calls?: number; costUsd?: number } | undefined;
}

/** The model and its limits, out of the settings that a file carries as text within its JSON. */
export function configOf(replayConfig: unknown): Config {
  const config = typeof replayConfig === "string" ? parsed(replayConfig) : replayConfig;
  const model = field(config, "agent", "model");
  // 0 turns a limit off.
  const limits = known({
    calls: numberAt(model, "per_instance_call_limit") || undefined,
    costUsd: numberAt(model, "per_instance_cost_limit") || undefined,
  });
  return { model: textAt(model, "name"), limits: Object.keys(limits).length > 0 ? limits : undefined };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
