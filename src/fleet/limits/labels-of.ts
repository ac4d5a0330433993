import { MODEL_PARAMS } from "../../core/agent-run.ts";
import type { Params } from "../../core/params.ts";
import { parseModelSpec } from "../../models/model-spec.ts";
import type { Limit } from "./limit.ts";

const PROVIDER = "provider:";

/** The limits that a run is under: all of its study's, but `provider:NAME` only where a model of the run is NAME's. */
export function limitsOf(limits: readonly Limit[], params: Params): Limit[] {
  if (!limits.some(({ label }) => label.startsWith(PROVIDER))) return [...limits];
  const providers = new Set(MODEL_PARAMS.flatMap((name) => providerOf(params[name]) ?? []));
  return limits.filter(
    ({ label }) => !label.startsWith(PROVIDER) || providers.has(label.slice(PROVIDER.length)),
  );
}

/** Whose model it is: as Assay knows it, or by what stands before `:` or `/`, as programs for agents write it. */
function providerOf(model: unknown): string | undefined {
  if (typeof model !== "string") return undefined;
  try {
    const { provider, endpoint } = parseModelSpec(model);
    return endpoint?.vendor ?? provider;
  } catch {
    return /^([\w-]+)[:/]/.exec(model)?.[1];
  }
}
