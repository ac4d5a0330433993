import { MODEL_PARAMS } from "../../core/agent-run.ts";
import type { Value } from "../../core/params.ts";
import type { AskedModels } from "../target.ts";

/** The models that the agent, its summariser and its reviewer ask. */
export function askedModels(valuesOf: (param: string) => Value[]): AskedModels {
  const texts = (name: string) =>
    valuesOf(name).filter((value): value is string => typeof value === "string");
  const names = MODEL_PARAMS.flatMap(texts).filter((name) => name !== "same");
  return {
    names: names.length > 0 ? names : ["scripted"],
    pricesFile: texts("prices").find((path) => path !== ""),
    baseUrl: texts("base_url").find((url) => url !== ""),
  };
}
