import { isSubmitted } from "../../core/exit-category.ts";
import type { Message } from "../../core/message.ts";
import type { Account, Trajectory, Turn } from "../../core/trajectory.ts";
import {
  booleanAt,
  contentText,
  field,
  isNone,
  isObject,
  type JsonObject,
  known,
  listAt,
  numberAt,
  objectsAt,
  sumOf,
  textAt,
} from "./json-fields.ts";
import { withDetails } from "./own-details.ts";
import { BrokenTrajectory, instanceInName, type TrajectoryReader } from "./reader.ts";

/** What Assay's own agent writes: SWE-agent's format with turn statistics, and what the strategy did. */
export const ownTrajectory: TrajectoryReader = {
  name: "assay",
  looksFor: "info.assay_version",
  detects: (value) => isSweAgent(value) && textAt(value, "info", "assay_version") !== null,
  read: (value, { name }) => withDetails(readSweAgent(value, { name, format: "assay" }), value),
};

/** The fork that counts each turn's tokens and keeps the summariser's account apart. */
export const sweAgentTurns: TrajectoryReader = {
  name: "swe-agent-turns",
  looksFor: "steps with turn_statistics, or info.agent_model_stats",
  detects: (value) =>
    isSweAgent(value) &&
    (isObject(field(value, "info", "agent_model_stats")) ||
      isObject(field(value, "info", "model_stats", "tokens")) ||
      isObject(field(listAt(value, "trajectory")?.[0], "turn_statistics"))),
  read: (value, { name }) => readSweAgent(value, { name, format: "swe-agent-turns" }),
};

/** Since 1.0: its version stands in `info`, or a step has its prompt. */
export const sweAgentOne: TrajectoryReader = {
  name: "swe-agent-1",
  looksFor: "info.swe_agent_version, replay_config, attempts, or steps with messages or query",
  detects(value) {
    if (!isSweAgent(value)) return false;
    const first = listAt(value, "trajectory")?.[0];
    return (
      textAt(value, "info", "swe_agent_version") !== null ||
      typeof field(value, "replay_config") === "string" ||
      listAt(value, "attempts") !== undefined ||
      listAt(first, "messages") !== undefined ||
      listAt(first, "query") !== undefined
    );
  },
  read: (value, { name }) => readSweAgent(value, { name, format: "swe-agent-1" }),
};

/** Before 1.0, and whatever else has steps or a conversation: demonstrations have only the latter. */
export const sweAgentOld: TrajectoryReader = {
  name: "swe-agent",
  looksFor: "a list trajectory, history or attempts",
  detects: isSweAgent,
  read: (value, { name }) => readSweAgent(value, { name, format: "swe-agent" }),
};

/** Old files name the container instead of the task. */
const NO_INSTANCE = new Set(["swe_main", ""]);

/** Anything with steps, a conversation, or attempts of both: what all versions and forks have in common. */
function isSweAgent(value: unknown): value is JsonObject {
  return (
    isObject(value) && ["trajectory", "history", "attempts"].some((key) => listAt(value, key) !== undefined)
  );
}

function readSweAgent(value: unknown, { name, format }: { name: string; format: string }): Trajectory {
  if (!isSweAgent(value)) throw new BrokenTrajectory("no trajectory, history or attempts");
  const top = field(value, "info");
  if (top !== undefined && top !== null && !isObject(top))
    throw new BrokenTrajectory("info: expected an object");
  const chosen = chosenAttempt(value);
  const info = field(value, "info") ?? field(chosen, "info");
  const steps = objectsAt(chosen, "trajectory");
  const history = objectsAt(chosen, "history");
  const turns = steps.length > 0 ? steps.map((step, i) => turnOf(step, i + 1)) : turnsOfHistory(history);
  const config = configOf(field(value, "replay_config") ?? field(chosen, "replay_config"));
  const environment = textAt(value, "environment") ?? textAt(chosen, "environment");
  const exitStatus = textAt(info, "exit_status");
  const opening = openingOf(history);
  const summaries = (listAt(chosen, "summaries") ?? []).flatMap((one) => textAt(one, "summary") ?? []);
  const accounts: Pick<Trajectory, "totals" | "parts"> =
    field(value, "info") === undefined ? attemptsTogether(value) : accountsOf(info);
  const trajectory: Trajectory = {
    format,
    instance:
      textAt(info, "instance_id") ??
      (environment !== null && !NO_INSTANCE.has(environment) ? environment : instanceInName(name)),
    model: textAt(info, "model") ?? config.model,
    exitStatus,
    submission: submissionOf(info, exitStatus),
    turns,
    totals: accounts.totals,
  };
  const wallMs = numberAt(info, "wall_ms");
  if (wallMs !== undefined) trajectory.totals.wallMs = wallMs;
  if (accounts.parts) trajectory.parts = accounts.parts;
  if (opening.length > 0) trajectory.opening = opening;
  if (config.limits) trajectory.limits = config.limits;
  if (summaries.length > 0) trajectory.summaries = summaries;
  const review = field(chosen, "info", "review");
  const reviewScore = numberAt(review, "score") ?? numberAt(review, "accept");
  Object.assign(trajectory, known({ isResolved: booleanAt(info, "resolved"), reviewScore }));
  return trajectory;
}

/** A retrying agent's best attempt, or its last one while none is chosen; otherwise the file itself. */
function chosenAttempt(value: JsonObject): JsonObject {
  if (listAt(value, "trajectory") || listAt(value, "history")) return value;
  const attempts = objectsAt(value, "attempts");
  return attempts[numberAt(value, "info", "best_attempt_idx") ?? attempts.length - 1] ?? value;
}

function attemptsTogether(value: JsonObject): Pick<Trajectory, "totals"> {
  const accounts = objectsAt(value, "attempts").flatMap((attempt) => {
    const account = accountOf(field(attempt, "info", "model_stats"));
    return account ? [account] : [];
  });
  return { totals: sumAccounts(accounts) };
}

/** A submission of null is a submission of nothing; without one, nothing is known. */
function submissionOf(info: unknown, exitStatus: string | null): string | null {
  const submission = field(info, "submission");
  if (typeof submission === "string") return submission;
  return submission === null && isSubmitted(exitStatus) ? "" : null;
}

/** A step with what it cost, where the file keeps that. Assigned one by one: spreads would cost more than the parsing. */
function turnOf(step: JsonObject, number: number): Turn {
  const turn: Turn = {
    number,
    thought: textAt(step, "thought") ?? textAt(step, "response"),
    action: textAt(step, "action"),
    observation: contentText(field(step, "observation")),
  };
  // Files have a text there in any case: what called no tool got nothing back.
  if (turn.observation === "" && !turn.action?.trim()) turn.observation = null;
  const seconds = numberAt(step, "execution_time");
  if (seconds !== undefined) turn.toolMs = seconds * 1000;
  const stats = field(step, "turn_statistics");
  if (stats !== undefined) addStatistics(turn, stats);
  const context = field(step, "extra_info", "context");
  if (context !== undefined) addContext(turn, context);
  return turn;
}

function addStatistics(turn: Turn, stats: unknown): void {
  const tokens = field(stats, "tokens");
  const usage = known({
    input: numberAt(tokens, "raw_input"),
    cached: numberAt(tokens, "cached_input"),
    output: numberAt(tokens, "output"),
    reasoning: numberAt(tokens, "internal_reasoning"),
  });
  if (!isNone(usage)) turn.usage = usage;
  const costUsd = numberAt(stats, "cost");
  if (costUsd !== undefined) turn.costUsd = costUsd;
  const modelMs = numberAt(stats, "inference_time");
  if (modelMs === undefined) return;
  turn.modelMs = modelMs;
  if (turn.toolMs !== undefined) turn.wallMs = turn.toolMs + modelMs;
}

/** What our own files say of the strategy's work before the turn. */
function addContext(turn: Turn, given: unknown): void {
  const context = known({
    masked: numberAt(given, "masked"),
    checkpoint: textAt(given, "checkpoint") ?? undefined,
    promptTokens: numberAt(given, "prompt_tokens"),
  });
  if (!isNone(context)) turn.context = context;
}

/** What stands before the agent's first own message. */
function openingOf(history: readonly JsonObject[]): Message[] {
  const first = history.findIndex((entry) => isOwnAnswer(entry));
  const before = first < 0 ? history : history.slice(0, first);
  const opening: Message[] = [];
  for (const entry of before) {
    const text = contentText(field(entry, "content"));
    if (text === null) continue;
    const role = textAt(entry, "role");
    const isDemo = isDemonstration(entry);
    if (role === "system") opening.push({ role, text, kind: "system", turn: 0 });
    else if (isDemo)
      opening.push({ role: role === "assistant" ? role : "user", text, kind: "demo", turn: 0 });
    else opening.push({ role: "user", text, kind: "task", turn: 0 });
  }
  return opening;
}

/** The turns of a file that holds nothing but the conversation. */
function turnsOfHistory(history: readonly JsonObject[]): Turn[] {
  const turns: Turn[] = [];
  for (const entry of history) {
    if (isDemonstration(entry)) continue;
    const text = contentText(field(entry, "content"));
    const role = textAt(entry, "role");
    const last = turns.at(-1);
    if (role === "assistant")
      turns.push({
        number: turns.length + 1,
        thought: textAt(entry, "thought") ?? text,
        action: textAt(entry, "action"),
        observation: null,
      });
    else if (last && role !== "system")
      last.observation = last.observation === null ? text : `${last.observation}\n${text ?? ""}`;
  }
  return turns;
}

function isOwnAnswer(entry: JsonObject): boolean {
  return textAt(entry, "role") === "assistant" && !isDemonstration(entry);
}

function isDemonstration(entry: JsonObject): boolean {
  return field(entry, "is_demo") === true || textAt(entry, "message_type") === "demo";
}

const MEASURES = ["input", "cached", "output", "reasoning", "costUsd", "calls"] as const;

/** One account of a file's `info`; undefined where there is none. */
function accountOf(stats: unknown): Account | undefined {
  if (!isObject(stats)) return undefined;
  const tokens = field(stats, "tokens");
  return known({
    input: numberAt(tokens, "raw_input") ?? numberAt(stats, "tokens_sent"),
    cached: numberAt(tokens, "cached_input"),
    output: numberAt(tokens, "output") ?? numberAt(stats, "tokens_received"),
    reasoning: numberAt(tokens, "internal_reasoning"),
    costUsd: numberAt(stats, "instance_cost"),
    calls: numberAt(stats, "api_calls"),
  });
}

/** What all accounts come to: an amount that one of them lacks is unknown. */
function sumAccounts(accounts: readonly Account[]): Account {
  const total: Account = {};
  for (const name of MEASURES) {
    const sum = sumOf(accounts.map((account) => account[name]));
    if (sum !== undefined) total[name] = sum;
  }
  return total;
}

/**
 * The agent's, the summariser's and the retry loop's own accounts. `model_stats` is the agent's where no other
 * account says so, also when it retried: the loop's reviews stand apart.
 */
function accountsOf(info: unknown): Pick<Trajectory, "totals" | "parts"> {
  const parts = known({
    agent: accountOf(field(info, "agent_model_stats")) ?? accountOf(field(info, "model_stats")),
    summary: accountOf(field(info, "summary_model_stats")),
    retry: accountOf(field(info, "rloop_model_stats")),
  });
  const accounts = Object.values(parts);
  if (accounts.length === 0) return { totals: {} };
  const isApart =
    parts.summary !== undefined || parts.retry !== undefined || isObject(field(info, "agent_model_stats"));
  const totals = sumAccounts(accounts);
  return isApart ? { totals, parts } : { totals };
}

/** The model and its limits, out of the settings that a file carries as text within its JSON. */
function configOf(replayConfig: unknown): { model: string | null; limits: Trajectory["limits"] } {
  const config = typeof replayConfig === "string" ? parsed(replayConfig) : replayConfig;
  const model = field(config, "agent", "model");
  // 0 turns a limit off.
  const limits = known({
    calls: numberAt(model, "per_instance_call_limit") || undefined,
    costUsd: numberAt(model, "per_instance_cost_limit") || undefined,
  });
  return { model: textAt(model, "name"), limits: Object.keys(limits).length > 0 ? limits : undefined };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
