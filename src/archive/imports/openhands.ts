import { closeSync, readSync } from "node:fs";
import { basename } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { errorText } from "../../core/errors.ts";
import type { Metrics } from "../../core/run.ts";
import { booleanAt, field, isObject, known, numberAt, sumOf, textAt } from "../trajectories/json-fields.ts";
import { openResults, parseJson } from "./found-file.ts";
import type { ImportedTrial, ImportProblem, ImportReader } from "./import-reader.ts";
import { graded, labelsOf, timeMs, ungraded, type Verdict } from "./verdict.ts";

const CHUNK_BYTES = 1 << 20;

/** Output of OpenHands' evaluations: a line an instance; graded where the harness was run over it. */
export const openHands: ImportReader = {
  name: "openhands",
  looksFor: "output*.jsonl with instance_id, test_result and metadata",
  claims: (file) =>
    /^output.*\.jsonl$/.test(file.name) &&
    /"instance_id"/.test(file.head()) &&
    /"(test_result|instruction|metadata)"/.test(file.head()),
  *read(file): Generator<ImportedTrial | ImportProblem> {
    let number = 0;
    for (const line of linesOf(file.path)) {
      number++;
      if (line.trim() === "") continue;
      try {
        const value = parseJson(line);
        yield textAt(value, "instance_id") === null
          ? { problem: `line ${number}: no instance_id` }
          : trialOf(value, basename(file.dir));
      } catch (error) {
        yield { problem: `line ${number}: ${errorText(error)}` };
      }
    }
  },
};

/** Lines hold whole histories: one is in memory at a time. */
function* linesOf(path: string): Generator<string> {
  const file = openResults(path);
  try {
    const decoder = new StringDecoder("utf8");
    const bytes = Buffer.alloc(CHUNK_BYTES);
    let parts: string[] = [];
    for (let got = readSync(file, bytes); got > 0; got = readSync(file, bytes)) {
      const lines = decoder.write(bytes.subarray(0, got)).split("\n");
      const last = lines.pop()!;
      for (const line of lines) {
        yield [...parts, line].join("");
        parts = [];
      }
      parts.push(last);
    }
    if (parts.some((part) => part !== "")) yield parts.join("");
  } finally {
    closeSync(file);
  }
}

function trialOf(value: unknown, folder: string): ImportedTrial {
  const task = textAt(value, "instance_id")!;
  const agent = textAt(value, "metadata", "agent_class");
  const model = textAt(value, "metadata", "llm_config", "model");
  const job = textAt(value, "metadata", "eval_output_dir") ?? folder;
  const costUsd = numberAt(value, "metrics", "accumulated_cost");
  const error = textAt(value, "error");
  const { outcome, metrics } = verdictOf(value, error);
  return {
    key: [job, agent, model, task].join("/"),
    task,
    agent,
    model,
    outcome,
    metrics: { ...metrics, ...usageOf(value, costUsd) },
    labels: {
      exit: error === null || error === "" ? "finished" : "error",
      ...labelsOf({ job, dataset: textAt(value, "metadata", "dataset") }),
    },
    ...known({ costUsd, startedAtMs: timeMs(textAt(value, "metadata", "start_time")) }),
  };
}

/** The report of SWE-bench's harness; without one nobody knows whether the task was solved. */
function verdictOf(value: unknown, error: string | null): Verdict {
  const report = field(value, "test_result", "report") ?? field(value, "report");
  if (isObject(report)) {
    if (booleanAt(report, "resolved")) return graded(1);
    if (booleanAt(report, "failed_apply_patch")) return ungraded("agent", "the patch does not apply");
    if (booleanAt(report, "error_eval") || booleanAt(report, "test_timeout"))
      return ungraded("grader", "the evaluation ended in an error");
    if (booleanAt(report, "resolved") === false) return graded(0);
  }
  if (error !== null && error !== "")
    return ungraded("infrastructure", error.replaceAll(/\s+/g, " ").slice(0, 300));
  return ungraded("grader", "it was not graded");
}

function usageOf(value: unknown, costUsd: number | undefined): Metrics {
  const usage = field(value, "metrics", "accumulated_token_usage");
  const input = numberAt(usage, "prompt_tokens");
  const output = numberAt(usage, "completion_tokens");
  return known({
    cost_usd: costUsd,
    tokens_input: input,
    tokens_output: output,
    tokens_total: sumOf([input, output]),
  }) as Metrics;
}
