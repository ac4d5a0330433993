import { dirname } from "node:path";
import type { Study } from "../core/study.ts";
import type { PreparedStudy } from "./prepare-study.ts";
import { valuesOfParam } from "./values-of-param.ts";

/** Whether the runs of a study ask language models. */
export function asksModels({ target }: Study): boolean {
  return target.kind === "shipped" && target.name === "agent";
}

/**
 * Before the first run of a study that asks language models: every key and price that will be needed is there, and one
 * budget is open for all of its threads and processes. What comes back closes it.
 */
export async function openModels(
  { study, spec }: PreparedStudy,
  { spentUsd }: { spentUsd: number },
): Promise<{ close(): Promise<void> }> {
  if (!asksModels(study)) return { close: async () => {} };
  const { openStudyModels } = await import("../models/open-study-models.ts");
  const texts = (name: string) => valuesOfParam(study, name).filter((value) => typeof value === "string");
  const models = [...texts("model"), ...texts("summarizer_model")].filter((name) => name !== "same");
  return openStudyModels({
    models: models.length > 0 ? models : ["scripted"],
    baseDir: dirname(spec.path),
    limitUsd: study.limits.costUsd ?? null,
    spentUsd,
    pricesFile: texts("prices").find((path) => path !== ""),
    baseUrl: texts("base_url").find((url) => url !== ""),
  });
}
