import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Metrics, Owner } from "../../core/run.ts";
import {
  booleanAt,
  field,
  isObject,
  known,
  listAt,
  numberAt,
  sumOf,
  textAt,
} from "../trajectories/json-fields.ts";
import { type FoundFile, readJsonIfAny } from "./found-file.ts";
import type { ImportedTrial, ImportProblem, ImportReader } from "./import-reader.ts";
import {
  agentTimeout,
  graded,
  labelsOf,
  millisecondsBetween,
  secondsBetween,
  timeMs,
  ungraded,
  type Verdict,
} from "./verdict.ts";

/** Run folders of Terminal-Bench 1: `<run>/results.json`, and one more for each trial. A leaderboard may keep `<run>_results.json` alone. */
export const terminalBench: ImportReader = {
  name: "terminal-bench",
  looksFor: "results.json with trial_name and is_resolved, or with a list of such results",
  claims(file) {
    if (!file.name.endsWith("results.json")) return false;
    const value = file.jsonIfAny();
    return value === undefined ? isBelowRun(file) : isTrial(value) || trialsIn(value).some(isTrial);
  },
  *read(file): Generator<ImportedTrial | ImportProblem> {
    const value = file.json();
    if (isTrial(value)) {
      yield trialOf(value, runOf(file.dir));
      return;
    }
    for (const [index, trial] of trialsIn(value).entries()) {
      if (!isTrial(trial)) yield { problem: `results[${index}]: no trial` };
      else if (!hasOwnFile(trial, file.dir)) yield trialOf(trial, runOf(file.dir));
    }
  },
};

/** Verdicts that say who failed; what is not among them is nobody's fault who is measured. */
const OWNERS: Record<string, Owner> = {
  test_timeout: "grader",
  parse_error: "grader",
  unknown_agent_error: "agent",
  fatal_llm_parse_error: "agent",
  context_length_exceeded: "agent",
  output_length_exceeded: "agent",
};

interface RunFacts {
  name: string;
  metadata: unknown;
  /** What the folder of a leaderboard's submission says: `<date>_<agent>_<model>`. */
  submission: { agent: string; model: string } | undefined;
}

function isTrial(value: unknown): boolean {
  return textAt(value, "task_id") !== null && isObject(value) && "is_resolved" in value;
}

function trialsIn(value: unknown): unknown[] {
  return listAt(value, "results") ?? [];
}

/** A trial's own file says the same, and lies nearer to its recordings. */
function hasOwnFile(trial: unknown, dir: string): boolean {
  const name = textAt(trial, "trial_name");
  return name !== null && existsSync(join(dir, textAt(trial, "task_id")!, name, "results.json"));
}

function isBelowRun({ dir }: FoundFile): boolean {
  return [dir, dirname(dirname(dir))].some((folder) => existsSync(join(folder, "run_metadata.json")));
}

/** A trial's folder is two below its run's. */
function runOf(dir: string): RunFacts {
  const submission = submissionOf(dir);
  for (const folder of [dir, dirname(dirname(dir))]) {
    const metadata = readJsonIfAny(join(folder, "run_metadata.json"));
    if (metadata !== undefined) return { name: basename(folder), metadata, submission };
  }
  return { name: basename(dir), metadata: undefined, submission };
}

const SUBMISSION = /^20\d{6}_([^_]+)_(.+)$/;

/** The nearest folder above that is named as a leaderboard names its submissions. */
function submissionOf(dir: string): RunFacts["submission"] {
  for (let folder = resolve(dir); dirname(folder) !== folder; folder = dirname(folder)) {
    const [, agent, model] = SUBMISSION.exec(basename(folder)) ?? [];
    if (agent !== undefined && model !== undefined) return { agent, model };
  }
  return undefined;
}

function trialOf(value: unknown, { name, metadata, submission }: RunFacts): ImportedTrial {
  const task = textAt(value, "task_id")!;
  const trial = textAt(value, "trial_name") ?? task;
  const [, rollout, run] = /\.(\d+)-of-\d+\.(.*)$/.exec(trial) ?? [];
  const { outcome, metrics } = verdictOf(value);
  return {
    key: textAt(value, "id") ?? `${name}/${trial}`,
    task,
    agent: textAt(metadata, "agent_name") ?? submission?.agent ?? null,
    model: textAt(metadata, "model_name") ?? submission?.model ?? null,
    outcome,
    metrics: { ...metrics, ...testsOf(value), ...usageOf(value) },
    labels: {
      exit: textAt(value, "failure_mode") ?? "unknown",
      ...labelsOf({
        job: textAt(metadata, "run_id") ?? (run || name),
        trial,
        dataset: textAt(metadata, "dataset_name"),
      }),
    },
    ...known({
      rollout: rollout === undefined ? undefined : Number(rollout),
      startedAtMs: timeMs(textAt(value, "trial_started_at")),
      wallMs: millisecondsBetween(textAt(value, "trial_started_at"), textAt(value, "trial_ended_at")),
    }),
  };
}

/** The harness writes `false` also where its own tests or the agent's installation failed: that is no verdict. */
function verdictOf(value: unknown): Verdict {
  const mode = textAt(value, "failure_mode") ?? "unset";
  const isResolved = booleanAt(value, "is_resolved");
  const isBroken = OWNERS[mode] === "grader" || mode === "agent_installation_failed";
  if (isResolved !== undefined && !(isBroken && !isResolved)) return graded(isResolved ? 1 : 0);
  if (mode === "agent_timeout") return agentTimeout(mode);
  const isSilent = mode === "unset" || mode === "none";
  return ungraded(OWNERS[mode] ?? "infrastructure", isSilent ? "no verdict was recorded" : mode);
}

function testsOf(value: unknown): Metrics {
  const tests = field(value, "parser_results");
  if (!isObject(tests)) return {};
  const states = Object.values(tests);
  return { tests_total: states.length, tests_passed: states.filter((state) => state === "passed").length };
}

function usageOf(value: unknown): Metrics {
  const input = numberAt(value, "total_input_tokens");
  const output = numberAt(value, "total_output_tokens");
  return known({
    tokens_input: input,
    tokens_output: output,
    tokens_total: sumOf([input, output]),
    tool_calls: numberAt(value, "n_commands"),
    agent_seconds: secondsBetween(textAt(value, "agent_started_at"), textAt(value, "agent_ended_at")),
    grade_seconds: secondsBetween(textAt(value, "test_started_at"), textAt(value, "test_ended_at")),
  }) as Metrics;
}
