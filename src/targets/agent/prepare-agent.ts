import { resolve } from "node:path";
import { createModel, type ModelOptions } from "../../models/create-model.ts";
import type { Model } from "../../models/model.ts";
import { readPriceFile } from "../../models/prices/price-file.ts";
import { type RunTrace, startRunTrace } from "../../models/trace.ts";
import type { TargetContext } from "../target.ts";
import type { AgentParams } from "./params.ts";
import type { InstanceSetting } from "./run-instance.ts";
import { loadStrategy } from "./strategies/load-strategy.ts";

/** What all instances of a run share. */
export type PreparedAgent = Pick<InstanceSetting, "model" | "summariser" | "strategy" | "strategyOptions"> & {
  reviewer: Model;
  trace: RunTrace;
};

type Wanted = Pick<TargetContext<AgentParams>, "params" | "baseDir" | "outDir" | "task">;

/** The models and the strategy, and where their calls are traced to. */
export async function prepareAgent({ params, baseDir, outDir, task }: Wanted): Promise<PreparedAgent> {
  const strategy = await loadStrategy(params.strategy, baseDir);
  const strategyOptions = strategy.options({ ...params, ...params.strategy_options }) as never;
  const options: ModelOptions = {
    baseDir,
    baseUrl: params.base_url || undefined,
    record: params.record || undefined,
    ...(params.prices !== "" && { prices: await readPriceFile(resolve(baseDir, params.prices)) }),
  };
  const trace = await startRunTrace({
    run: task ?? "instances",
    file: outDir === null ? null : `${outDir}/trace.jsonl`,
    isOff: !params.trace,
    attributes: { "assay.strategy": params.strategy },
  });
  const model = trace.traceModel(await createModel(params.model, options));
  const other = async (name: string) =>
    name === "same" || name === params.model ? model : trace.traceModel(await createModel(name, options));
  const summariser = await other(params.summarizer_model);
  const reviewer = params.retry_attempts > 1 ? await other(params.review_model) : model;
  return { model, summariser, reviewer, strategy, strategyOptions, trace };
}
