import { closeSync, existsSync, readSync } from "node:fs";
import { basename, join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { errorText } from "../../core/errors.ts";
import type { Metrics } from "../../core/run.ts";
import { booleanAt, field, isObject, known, numberAt, sumOf, textAt } from "../trajectories/json-fields.ts";
import { type FoundFile, openResults, parseJson } from "./found-file.ts";
import type { ImportedTrial, ImportProblem, ImportReader } from "./import-reader.ts";
import { graded, labelsOf, timeMs, ungraded, type Verdict } from "./verdict.ts";

const CHUNK_BYTES = 1 << 20;

/** Output of OpenHands' evaluations: one line per instance; graded where the harness was run over it. */
export const openHands: ImportReader = {
  name: "openhands",
  looksFor: "*output*.jsonl or *.swebench_eval.jsonl with instance_id, test_result and metadata",
  claims: (file) =>
    /(?:^|_)output.*\.jsonl$|\.swebench_eval\.jsonl$/.test(file.name) &&
    /"instance_id"/.test(file.head()) &&
    /"(test_result|instruction|metadata|history)"/.test(file.head()),
  *read(file): Generator<ImportedTrial | ImportProblem> {
    const about = metadataBeside(file);
    let number = 0;
    for (const line of linesOf(file.path)) {
      number++;
      if (line.trim() === "") continue;
      try {
        const value = parseJson(line);
        yield textAt(value, "instance_id") === null
          ? { problem: `line ${number}: no instance_id` }
          : trialOf(value, { folder: basename(file.dir), about });
      } catch (error) {
        yield { problem: `line ${number}: ${errorText(error)}` };
      }
    }
  },
};

/** What is known of a run whose verdicts stand in a file of their own, without it: the output that they are about says it. */
function metadataBeside({ dir, name }: FoundFile): unknown {
  const output = name.replace(/\.swebench_eval\.jsonl$/, ".jsonl");
  if (output === name || !existsSync(join(dir, output))) return undefined;
  try {
    for (const line of linesOf(join(dir, output))) return field(parseJson(line), "metadata");
  } catch {
    // Whatever is wrong with that file is told where it is read itself.
  }
  return undefined;
}

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

function trialOf(value: unknown, { folder, about }: { folder: string; about: unknown }): ImportedTrial {
  const task = textAt(value, "instance_id")!;
  const metadata = field(value, "metadata") ?? about;
  const agent = textAt(metadata, "agent_class");
  const model = textAt(metadata, "llm_config", "model");
  const job = textAt(metadata, "eval_output_dir") ?? folder;
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
      ...labelsOf({ job, dataset: textAt(metadata, "dataset") }),
    },
    ...known({ costUsd, startedAtMs: timeMs(textAt(metadata, "start_time")) }),
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
  // Exercises that one command tests, such as those of the aider benchmark.
  const exitCode = numberAt(value, "test_result", "exit_code");
  if (exitCode !== undefined) return graded(exitCode === 0 ? 1 : 0);
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
