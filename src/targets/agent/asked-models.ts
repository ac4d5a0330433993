import type { Value } from "../../core/params.ts";
import type { AskedModels } from "../target.ts";

/** The models that the agent, its summariser and its reviewer ask. */
export function askedModels(valuesOf: (param: string) => Value[]): AskedModels {
  const texts = (name: string) =>
    valuesOf(name).filter((value): value is string => typeof value === "string");
  const names = ["model", "summarizer_model", "review_model"]
    .flatMap(texts)
    .filter((name) => name !== "same");
  return {
    names: names.length > 0 ? names : ["scripted"],
    pricesFile: texts("prices").find((path) => path !== ""),
    baseUrl: texts("base_url").find((url) => url !== ""),
  };
}
