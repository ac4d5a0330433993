import { allSeries } from "../archive/read-series.ts";
import { canonicalJson, shortHash } from "../core/hash.ts";
import { pythonStr } from "../core/python-text.ts";
import type { PublishedRun } from "./published-run.ts";

/** A run as MLflow has it. */
export interface MlflowRun {
  name: string;
  status: keyof typeof MLFLOW_STATUS;
  startMs: number;
  endMs: number;
  params: { key: string; value: string }[];
  tags: { key: string; value: string }[];
  metrics: { key: string; value: number; timestamp: number; step: number }[];
  /** Stands for all of it and for its files: a run with the same one there is the same. */
  state: string;
}

/** By their numbers in MLflow's folders. */
export const MLFLOW_STATUS = { FINISHED: 3, FAILED: 4, KILLED: 5 } as const;
/** Tags by which an export finds again what an earlier one wrote. */
export const RUN_TAG = "assay.run_id";
export const STATE_TAG = "assay.state";
/** MLflow's own limits. */
const MOST_PARAM = 6000;
const MOST_TAG = 5000;

export function mlflowRun(run: PublishedRun): MlflowRun {
  const endMs = Math.round(run.startedAtMs + run.wallMs);
  const startMs = Math.round(run.startedAtMs);
  const paramNames = mlflowNames(Object.keys(run.params));
  const told = {
    name: run.id,
    status: statusOf(run),
    startMs,
    endMs,
    params: Object.entries(run.params).map(([name, value]) => ({
      key: paramNames.get(name)!,
      value: cut(pythonStr(value), MOST_PARAM),
    })),
    metrics: metricsOf(run, { startMs, endMs }),
  };
  const facts = {
    "mlflow.runName": run.id,
    "mlflow.source.type": "JOB",
    "mlflow.source.name": `assay study ${run.study}`,
    ...(run.arm !== null && { "assay.arm": run.arm }),
    ...prefixed(run.facts),
    ...(run.facts.commit !== undefined && { "mlflow.source.git.commit": run.facts.commit }),
    [RUN_TAG]: run.id,
  };
  const tags = Object.entries(facts).map(([key, value]) => ({ key, value: cut(value, MOST_TAG) }));
  return {
    ...told,
    tags,
    state: shortHash(canonicalJson([told, tags, run.files.map(({ name }) => name)] as never)),
  };
}

function prefixed(facts: Record<string, string>): Record<string, string> {
  const names = mlflowNames(Object.keys(facts));
  return Object.fromEntries(Object.entries(facts).map(([name, text]) => [`assay.${names.get(name)}`, text]));
}

function statusOf({ outcome: { status } }: PublishedRun): MlflowRun["status"] {
  if (status === "ok" || status === "stopped") return "FINISHED";
  return status === "cancelled" || status === "skipped" ? "KILLED" : "FAILED";
}

/**
 * Series along their steps, and at the end what the run came to. MLflow's steps are whole numbers: those that aren't are
 * counted. A metric's last value there is that of its highest step, so the result stands at the series' last.
 */
function metricsOf(
  run: PublishedRun,
  { startMs, endMs }: { startMs: number; endMs: number },
): MlflowRun["metrics"] {
  const series = allSeries(run.readSteps());
  const own = [...new Set([...series.keys(), ...Object.keys(run.metrics)])];
  const names = mlflowNames(own);
  return own.flatMap((name) => {
    const key = names.get(name)!;
    const { steps, values } = series.get(name) ?? { steps: [], values: [] };
    const isWhole = steps.every(Number.isSafeInteger);
    const points = values.map((value, i) => ({
      key,
      value,
      timestamp: startMs,
      step: isWhole ? steps[i]! : i + 1,
    }));
    const result = run.metrics[name];
    if (result === undefined || result === values.at(-1)) return points;
    return [...points, { key, value: result, timestamp: endMs, step: points.at(-1)?.step ?? 0 }];
  });
}

/** Names that MLflow takes, each of its own: letters, digits and `_ - . : /` and spaces, as a path without detours. */
function mlflowNames(names: readonly string[]): Map<string, string> {
  const taken = new Set<string>();
  const plain = (name: string) =>
    name
      .replaceAll(/[^\w\-.: /]/g, "_")
      .split("/")
      .filter((part) => !["", ".", ".."].includes(part))
      .join("/")
      .slice(0, 240) || "_";
  const isFolder = (name: string) => names.some((other) => plain(other).startsWith(`${name}/`));
  return new Map(
    names.map((name) => {
      let key = plain(name);
      while (taken.has(key) || isFolder(key)) key += "_";
      taken.add(key);
      return [name, key];
    }),
  );
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 3)}...`;
}
