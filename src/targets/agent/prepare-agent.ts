import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { canonicalJson, shortHash } from "../../core/hash.ts";
import { checkPrice } from "../../models/check-model.ts";
import { createModel, type ModelOptions } from "../../models/create-model.ts";
import type { Model } from "../../models/model.ts";
import { readPriceFile } from "../../models/prices/price-file.ts";
import { type RunTrace, startRunTrace } from "../../models/trace.ts";
import type { TargetContext } from "../target.ts";
import type { AgentParams } from "./params.ts";
import type { InstanceSetting } from "./run-instance.ts";
import { loadStrategy } from "./strategies/index.ts";

/** What all instances of a run share. */
export type PreparedAgent = Pick<InstanceSetting, "model" | "summariser" | "strategy" | "strategyOptions"> & {
  reviewer: Model;
  trace: RunTrace;
};

/** A limit that could not be kept is told before anything runs. */
export async function checkCostLimit(params: AgentParams, baseDir: string): Promise<void> {
  if (params.cost_limit === 0) return;
  const asked = [
    params.model,
    ...(["raw", "observation_masking"].includes(params.strategy) ? [] : [params.summarizer_model]),
    ...(params.retry_attempts > 1 ? [params.review_model] : []),
  ];
  const prices = params.prices === "" ? {} : await readPriceFile(resolve(baseDir, params.prices));
  for (const name of new Set(asked)) if (name !== "same") await checkPrice(name, prices);
}

type Wanted = Pick<
  TargetContext<AgentParams>,
  "runId" | "params" | "baseDir" | "outDir" | "task" | "trace"
> & {
  /** What tells this run from all others that may ask the same. */
  identity: unknown;
};

/** How a run reaches its models and where its tools work: another way is still the same run when it is replayed. */
const PASSING = new Set<string>([
  "model",
  "summarizer_model",
  "review_model",
  "base_url",
  "prices",
  "record",
  "trace",
  "sandbox",
] satisfies (keyof AgentParams)[]);

/** Of the parameters, those by which a run is known also when its traffic is replayed. */
export function lastingParams(params: object): object {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !PASSING.has(name)));
}

/** The models and the strategy, and where their calls are traced to. */
export async function prepareAgent(wanted: Wanted): Promise<PreparedAgent> {
  const { params, baseDir, outDir, task, identity } = wanted;
  const strategy = await loadStrategy(params.strategy, baseDir);
  const strategyOptions = strategy.options({ ...params, ...params.strategy_options }) as never;
  const asker = { run: shortHash(canonicalJson(identity)), attempt: randomUUID().slice(0, 8) };
  const options: ModelOptions = {
    baseDir,
    baseUrl: params.base_url || undefined,
    record: params.record || undefined,
    asker,
    ...(params.prices !== "" && { prices: await readPriceFile(resolve(baseDir, params.prices)) }),
  };
  const trace = await startRunTrace({
    // A task is worked on by several arms, seeds and repeats.
    run: wanted.runId ?? `${task ?? "instances"}__${asker.run}`,
    agent: "assay",
    file: outDir === null ? null : `${outDir}/trace.jsonl`,
    isOff: !params.trace || wanted.trace === false,
    attributes: { "assay.strategy": params.strategy },
  });
  const model = trace.traceModel(await createModel(params.model, options));
  const other = async (name: string) =>
    name === "same" || name === params.model ? model : trace.traceModel(await createModel(name, options));
  const summariser = await other(params.summarizer_model);
  const reviewer = params.retry_attempts > 1 ? await other(params.review_model) : model;
  return { model, summariser, reviewer, strategy, strategyOptions, trace };
}
