import type { Params, Value } from "../core/params.ts";
import type { Study } from "../core/study.ts";
import { valuesOfParam } from "./values-of-param.ts";

interface StudyModels {
  /** None where the runs ask no language model. */
  models: string[];
  pricesFile?: string | undefined;
  baseUrl?: string | undefined;
}

/** What the runs of a study ask themselves; what programs ask that they start is not known. */
export function modelsOfStudy(study: Study): StudyModels {
  const { target } = study;
  if (target.kind !== "shipped") return { models: [] };
  if (target.name === "agent") return ofAgent((name) => textsOf(study, name));
  return target.name === "rollout" ? ofRollouts(study) : { models: [] };
}

function ofAgent(texts: (name: string) => string[]): StudyModels {
  const models = ["model", "summarizer_model", "review_model"]
    .flatMap(texts)
    .filter((name) => name !== "same");
  return {
    models: models.length > 0 ? models : ["scripted"],
    pricesFile: texts("prices").find((path) => path !== ""),
    baseUrl: texts("base_url").find((url) => url !== ""),
  };
}

/** The judge's, and those of Assay's own agent. Where other agents take part, a model may be meant for those alone. */
function ofRollouts(study: Study): StudyModels {
  const judges = textsOf(study, "judge").filter((name) => name !== "");
  const agents = valuesOfParam(study, "agent");
  if (!agents.includes("assay")) return { models: judges };
  const options = valuesOfParam(study, "agent_options").filter(isParams);
  const own = ofAgent((name) => [
    ...(name === "model" ? textsOf(study, "model").filter((model) => model !== "") : []),
    ...options.map((values) => values[name]).filter((value) => typeof value === "string"),
  ]);
  return agents.every((agent) => agent === "assay")
    ? { ...own, models: [...own.models, ...judges] }
    : { ...own, models: judges };
}

function textsOf(study: Study, name: string): string[] {
  return valuesOfParam(study, name).filter((value) => typeof value === "string");
}

function isParams(value: Value): value is Params {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
