import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Metrics, Owner } from "../../core/run.ts";
import { field, isObject, known, numberAt, sumOf, textAt } from "../trajectories/json-fields.ts";
import { type FoundFile, readJsonIfAny } from "./found-file.ts";
import { BrokenImport, type ImportedTrial, type ImportProblem, type ImportReader } from "./import-reader.ts";
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

/** Job folders of Harbor, which also runs Terminal-Bench 2: `jobs/<job>/<trial>/result.json`. */
export const harbor: ImportReader = {
  name: "harbor",
  looksFor: "jobs/<job>/<trial>/result.json with task_name and verifier_result",
  claims(file) {
    if (file.name === "result.json") return isTrial(file) || isBrokenTrial(file);
    // A trial that was cut off has its configuration only.
    return file.name === "config.json" && !existsSync(join(file.dir, "result.json")) && isTrialConfig(file);
  },
  *read(file): Generator<ImportedTrial | ImportProblem> {
    if (file.name === "config.json")
      throw new BrokenImport("the trial has no result.json: it was cut off, or is still running");
    yield trialOf(file);
  },
};

function isTrial(file: FoundFile): boolean {
  const value = file.jsonIfAny();
  return (
    textAt(value, "task_name") !== null &&
    ["verifier_result", "exception_info", "agent_info"].some((key) => field(value, key) !== undefined)
  );
}

function isBrokenTrial(file: FoundFile): boolean {
  return file.jsonIfAny() === undefined && existsSync(join(file.dir, "config.json"));
}

function isTrialConfig(file: FoundFile): boolean {
  const value = file.jsonIfAny();
  return textAt(value, "trial_name") !== null && isObject(field(value, "task"));
}

function trialOf(file: FoundFile): ImportedTrial {
  const value = file.json();
  const job = basename(dirname(file.dir));
  const trialName = textAt(value, "trial_name") ?? basename(file.dir);
  const exception = textAt(value, "exception_info", "exception_type");
  const { outcome, metrics } = verdictOf(value, file.dir, exception);
  const trajectory = join(file.dir, "agent", "trajectory.json");
  return {
    key: textAt(value, "id") ?? `${job}/${trialName}`,
    task: textAt(value, "task_name")!,
    agent: textAt(value, "agent_info", "name") ?? textAt(value, "config", "agent", "name"),
    model: modelOf(value),
    outcome,
    metrics: { ...metrics, ...usageOf(value) },
    labels: {
      exit: exception ?? "finished",
      ...labelsOf({
        job,
        trial: trialName,
        dataset: textAt(value, "source"),
        agent_version: textAt(value, "agent_info", "version"),
        task_checksum: textAt(value, "task_checksum"),
      }),
    },
    ...known({
      startedAtMs: timeMs(textAt(value, "started_at")),
      wallMs: millisecondsBetween(textAt(value, "started_at"), textAt(value, "finished_at")),
      costUsd: numberAt(value, "agent_result", "cost_usd"),
      trajectory: existsSync(trajectory) ? trajectory : undefined,
    }),
  };
}

function verdictOf(value: unknown, dir: string, exception: string | null): Verdict {
  const rewards = rewardsOf(value, dir);
  const score = scoreOf(rewards);
  const others = Object.entries(rewards).filter(([name]) => name !== "reward");
  const metrics: Metrics = Object.fromEntries(others.map(([name, reward]) => [`reward/${name}`, reward]));
  const verdict = score === undefined ? withoutScore(value, exception, others.length) : graded(score);
  return { outcome: verdict.outcome, metrics: { ...verdict.metrics, ...metrics } };
}

function withoutScore(value: unknown, exception: string | null, rewards: number): Verdict {
  if (exception === null)
    return ungraded(
      "grader",
      rewards > 0 ? "several rewards, and none is called reward" : "no reward was left",
    );
  const message = textAt(value, "exception_info", "exception_message") ?? "";
  const reason = `${exception}${message === "" ? "" : `: ${message.replaceAll(/\s+/g, " ").slice(0, 200)}`}`;
  if (exception === "CancelledError" || exception === "KeyboardInterrupt")
    return { outcome: { status: "cancelled", reason }, metrics: {} };
  if (exception === "AgentTimeoutError") return agentTimeout(reason);
  return ungraded(ownerOf(exception), reason);
}

/** After the names of Harbor's exceptions; what is not known is nobody's fault who is measured. */
function ownerOf(exception: string): Owner {
  if (/^(Verifier|Reward|AddTestsDir|DownloadVerifier)/.test(exception)) return "grader";
  return /^NonZeroAgentExitCode|^ContextLengthExceeded|^OutputLengthExceeded/.test(exception)
    ? "agent"
    : "infrastructure";
}

function rewardsOf(value: unknown, dir: string): Record<string, number> {
  const told = field(value, "verifier_result", "rewards") ?? field(value, "verifier_result", "reward");
  if (isObject(told)) return numbersOf(told);
  if (typeof told === "number" && Number.isFinite(told)) return { reward: told };
  return rewardFile(join(dir, "verifier"));
}

/** What the tests themselves left, where Harbor did not get to read it. */
function rewardFile(dir: string): Record<string, number> {
  const json = readJsonIfAny(join(dir, "reward.json"));
  if (isObject(json)) return numbersOf(json);
  try {
    const text = readFileSync(join(dir, "reward.txt"), "utf8").trim();
    return text !== "" && Number.isFinite(Number(text)) ? { reward: Number(text) } : {};
  } catch {
    return {};
  }
}

function numbersOf(rewards: Record<string, unknown>): Record<string, number> {
  const numbers: Record<string, number> = {};
  for (const [name, reward] of Object.entries(rewards))
    if (typeof reward === "number" && Number.isFinite(reward)) numbers[name] = reward;
  return numbers;
}

/** The reward of that name, or the only one that there is. */
function scoreOf(rewards: Record<string, number>): number | undefined {
  const all = Object.values(rewards);
  return rewards.reward ?? (all.length === 1 ? all[0] : undefined);
}

function usageOf(value: unknown): Metrics {
  const input = numberAt(value, "agent_result", "n_input_tokens");
  const output = numberAt(value, "agent_result", "n_output_tokens");
  const seconds = (phase: string) =>
    secondsBetween(textAt(value, phase, "started_at"), textAt(value, phase, "finished_at"));
  return known({
    cost_usd: numberAt(value, "agent_result", "cost_usd"),
    tokens_input: input,
    tokens_cached: numberAt(value, "agent_result", "n_cache_tokens"),
    tokens_output: output,
    tokens_total: sumOf([input, output]),
    agent_seconds: seconds("agent_execution"),
    grade_seconds: seconds("verifier"),
  }) as Metrics;
}

function modelOf(value: unknown): string | null {
  const name = textAt(value, "agent_info", "model_info", "name");
  if (name === null) return textAt(value, "config", "agent", "model_name");
  const provider = textAt(value, "agent_info", "model_info", "provider");
  return provider === null || name.startsWith(`${provider}/`) ? name : `${provider}/${name}`;
}
