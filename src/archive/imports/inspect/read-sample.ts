import type { Metrics } from "../../../core/run.ts";
import {
  field,
  isNone,
  isObject,
  known,
  listAt,
  numberAt,
  sumOf,
  textAt,
} from "../../trajectories/json-fields.ts";
import type { ImportedTrial } from "../import-reader.ts";
import { labelsOf } from "../labels.ts";
import { timeMs } from "../times.ts";
import { graded, ungraded, type Verdict } from "../verdict.ts";
import { scoreNumbers } from "./scores.ts";

/** What a log says of all its samples. */
export interface LogHeader {
  eval: unknown;
  plan: unknown;
  stats: unknown;
}

/** A sample, or its summary: they have the same keys as far as we read them. */
export function trialOf(sample: unknown, header: LogHeader): ImportedTrial | undefined {
  const id = field(sample, "id");
  const epoch = numberAt(sample, "epoch");
  if ((typeof id !== "string" && typeof id !== "number") || epoch === undefined) return undefined;
  const task = textAt(header.eval, "task") ?? "task";
  const limit = textAt(sample, "limit") ?? textAt(sample, "limit", "type");
  const { outcome, metrics } = verdictOf(sample);
  const usage = usageOf(sample);
  return {
    key: textAt(sample, "uuid") ?? [runOf(header), task, id, epoch].join("/"),
    task: `${task}/${id}`,
    agent: solverOf(header),
    model: textAt(header.eval, "model"),
    rollout: epoch,
    outcome,
    metrics: { ...metrics, ...usage },
    labels: {
      exit: errorOf(sample) !== null ? "error" : limit === null ? "finished" : `limit ${limit}`,
      ...labelsOf({ job: textAt(header.eval, "run_id"), dataset: textAt(header.eval, "dataset", "name") }),
    },
    ...known({
      startedAtMs: timeMs(
        textAt(sample, "started_at") ?? textAt(header.stats, "started_at") ?? textAt(header.eval, "created"),
      ),
      wallMs: milliseconds(numberAt(sample, "total_time")),
      costUsd: usage.cost_usd ?? undefined,
    }),
  };
}

function verdictOf(sample: unknown): Verdict {
  const error = errorOf(sample);
  if (error !== null) return ungraded("infrastructure", error.replaceAll(/\s+/g, " ").slice(0, 300));
  const scores = field(sample, "scores");
  const numbers = isObject(scores) ? scoreNumbers(scores) : {};
  const [first] = Object.values(numbers);
  if (first === undefined || first === null) {
    const verdict = ungraded("grader", "the sample has no score that is a number");
    return { ...verdict, metrics: numbers };
  }
  const verdict = graded(first);
  return { outcome: verdict.outcome, metrics: { ...verdict.metrics, ...numbers } };
}

/** A text in summaries, an object in samples. */
function errorOf(sample: unknown): string | null {
  return textAt(sample, "error") ?? textAt(sample, "error", "message");
}

function usageOf(sample: unknown): Metrics {
  const usage = field(sample, "model_usage");
  if (!isObject(usage) || isNone(usage)) return timesOf(sample);
  const models = Object.values(usage);
  const sum = (key: string) => sumOf(models.map((model) => numberAt(model, key)));
  return {
    ...timesOf(sample),
    ...known({
      tokens_input: sum("input_tokens"),
      tokens_output: sum("output_tokens"),
      tokens_total: sum("total_tokens"),
      cost_usd: sum("total_cost"),
    }),
  } as Metrics;
}

function timesOf(sample: unknown): Metrics {
  return known({ agent_seconds: numberAt(sample, "working_time") }) as Metrics;
}

function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}

function runOf({ eval: spec }: LogHeader): string {
  return textAt(spec, "eval_id") ?? textAt(spec, "task_id") ?? textAt(spec, "run_id") ?? "";
}

/** The solver as it was named, else the last step of the plan. */
function solverOf({ eval: spec, plan }: LogHeader): string | null {
  const steps = listAt(plan, "steps") ?? [];
  return textAt(spec, "solver") ?? textAt(steps.at(-1), "solver");
}
