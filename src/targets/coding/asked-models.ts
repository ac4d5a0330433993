import type { Params, Value } from "../../core/params.ts";
import { askedModels as askedByAgent } from "../agent/asked-models.ts";
import type { AskedModels } from "../target.ts";

/** The judge's, and those of Assay's own agent. Where other agents take part, a model may be meant for those alone. */
export function askedModels(valuesOf: (param: string) => Value[]): AskedModels {
  const isNamed = (value: Value): value is string => typeof value === "string" && value !== "";
  const judges = valuesOf("judge").filter(isNamed);
  const agents = valuesOf("agent");
  if (!agents.includes("assay")) return { names: judges };
  const options = valuesOf("agent_options").filter(isParams);
  const own = askedByAgent((name) => [
    ...(name === "model" ? valuesOf("model").filter(isNamed) : []),
    ...options.map((values) => values[name]).filter((value) => value !== undefined),
  ]);
  return agents.every((agent) => agent === "assay")
    ? { ...own, names: [...own.names, ...judges] }
    : { ...own, names: judges };
}

function isParams(value: Value): value is Params {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
