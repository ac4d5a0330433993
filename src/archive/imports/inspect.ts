import type { Metrics } from "../../core/run.ts";
import {
  field,
  isNone,
  isObject,
  known,
  listAt,
  numberAt,
  sumOf,
  textAt,
} from "../trajectories/json-fields.ts";
import { parseJson } from "./found-file.ts";
import { BrokenImport, type ImportedTrial, type ImportProblem, type ImportReader } from "./import-reader.ts";
import { ZipReader } from "./read-zip.ts";
import { graded, labelsOf, timeMs, ungraded, type Verdict } from "./verdict.ts";

/** Logs of Inspect as one JSON file. */
export const inspectJson: ImportReader = {
  name: "inspect",
  looksFor: "*.json with version, status and eval",
  claims: (file) =>
    file.name.endsWith(".json") &&
    /^\s*\{\s*"version"\s*:\s*\d/.test(file.head()) &&
    /"eval"\s*:\s*\{/.test(file.head()),
  *read(file) {
    const log = file.json();
    const samples = listAt(log, "samples");
    if (samples === undefined) throw new BrokenImport("the log has a header only, no samples");
    yield* trialsOf(samples, headerOf(log));
    yield* unfinished(textAt(log, "status"));
  },
};

/** Logs of Inspect as it writes them by default: a zip with each sample apart, and with summaries of all. */
export const inspectEval: ImportReader = {
  name: "inspect",
  looksFor: "*.eval",
  claims: ({ name }) => name.endsWith(".eval"),
  *read(file) {
    const zip = new ZipReader(file.path);
    try {
      const json = (name: string) => parseJson(zip.read(name));
      const names = zip.names();
      // The header is written at the end: a log that was cut off has its start only.
      const start = ["header.json", "_journal/start.json", "start.json"].find((name) => names.includes(name));
      if (start === undefined) throw new BrokenImport("no log of Inspect: there is no header.json in it");
      const log = json(start);
      for (const name of sampleLists(names)) {
        const list = json(name);
        yield* trialsOf(Array.isArray(list) ? list : [list], headerOf(log));
      }
      const end = names.includes("results.json") ? json("results.json") : log;
      yield* unfinished(textAt(end, "status") ?? "started");
    } finally {
      zip.close();
    }
  },
};

/** The summaries of all samples where the log was ended, else those so far, else the samples themselves. */
function sampleLists(names: readonly string[]): string[] {
  const whole = names.filter((name) => name === "summaries.json" || name === "summary.json");
  if (whole.length > 0) return whole.slice(0, 1);
  const parts = names.filter((name) => /^(_journal\/)?summaries\/\d+\.json$/.test(name));
  return parts.length > 0 ? parts : names.filter((name) => /^samples\/.+\.json$/.test(name));
}

function headerOf(log: unknown): LogHeader {
  return { eval: field(log, "eval"), plan: field(log, "plan"), stats: field(log, "stats") };
}

function* trialsOf(samples: readonly unknown[], header: LogHeader): Generator<ImportedTrial | ImportProblem> {
  for (const [index, sample] of samples.entries())
    yield trialOf(sample, header) ?? { problem: `sample ${index + 1}: no id or no epoch` };
}

function* unfinished(status: string | null): Generator<ImportProblem> {
  if (status !== null && status !== "success")
    yield { problem: `the log's status is ${status}: samples that are not in it are missing` };
}

/** What a log says of all its samples. */
interface LogHeader {
  eval: unknown;
  plan: unknown;
  stats: unknown;
}

/** A sample, or its summary: they have the same keys as far as we read them. */
function trialOf(sample: unknown, header: LogHeader): ImportedTrial | undefined {
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

/** Letters and words that scorers give for numbers. */
const WORDS: Record<string, number> = { C: 1, I: 0, P: 0.5, N: 0, yes: 1, true: 1, no: 0, false: 0 };

/** A number a scorer, the first one's first; null where it says nothing that counts. */
function scoreNumbers(scores: Record<string, unknown>): Metrics {
  const numbers: Metrics = {};
  for (const [scorer, score] of Object.entries(scores)) {
    const value = field(score, "value");
    if (isObject(value))
      for (const [part, one] of Object.entries(value)) numbers[`score/${scorer}/${part}`] = numberOf(one);
    else numbers[`score/${scorer}`] = numberOf(value);
  }
  return numbers;
}

function numberOf(value: unknown): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value !== "string") return null;
  const word = Object.hasOwn(WORDS, value) ? WORDS[value] : WORDS[value.toLowerCase()];
  if (word !== undefined) return word;
  const number = Number(value);
  return value.trim() !== "" && Number.isFinite(number) ? number : null;
}
