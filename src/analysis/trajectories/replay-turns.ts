import type { Message } from "../../core/message.ts";
import type { Trajectory, Turn } from "../../core/trajectory.ts";
import { promptTokens } from "./summarise-file.ts";

/** What a context strategy makes of a conversation; see targets/agent/strategies/strategy.ts. */
type Look = (messages: readonly Message[]) => {
  messages: readonly Message[];
  masked: number;
  summarise?:
    | { messages: readonly Message[]; fromTurn: number; toTurn: number; previous: Message | undefined }
    | undefined;
};

export interface ReplayOptions {
  look: Look;
  /** Tokens of a prompt. */
  weigh(messages: readonly Message[]): number;
  /** A stand-in of that many tokens for a summary that nobody has written. */
  summary: { text: string; tokens: number };
  /** Checkpoints also list the actions of their turns. */
  listActions?: boolean;
}

/** One turn as it would have been. Tokens of the prompt include those that an ideal cache would have had. */
export interface ReplayedTurn {
  turn: number;
  promptTokens: number;
  /** Of the longest beginning that this prompt shares with the turn's before. */
  cachedTokens: number;
  outputTokens: number;
  /** What the file says was sent; null where it does not. */
  recordedTokens: number | null;
  masked: number;
  /** The call of the summariser before this turn. */
  summary: { fromTurn: number; toTurn: number; promptTokens: number; outputTokens: number } | null;
}

/** Runs a strategy over what was recorded, on the assumption that the agent would have done the same. */
export function replayTurns(trajectory: Trajectory, options: ReplayOptions): ReplayedTurn[] {
  const { look, weigh, summary } = options;
  const opening = trajectory.opening?.length ?? 0;
  const recorded = conversationOf(trajectory);
  const conversation = recorded.slice(0, opening);
  const rows: ReplayedTurn[] = [];
  let at = opening;
  let before: readonly Message[] = [];
  for (const turn of trajectory.turns) {
    let view = look(conversation);
    let made: ReplayedTurn["summary"] = null;
    if (view.summarise) {
      const { messages, previous, fromTurn, toTurn } = view.summarise;
      // A summariser is told the task, or what was summed up before.
      const given = previous ? [previous] : conversation.filter(({ kind }) => kind === "task");
      const prompt = weigh([...given, ...messages]);
      made = { fromTurn, toTurn, promptTokens: prompt, outputTokens: summary.tokens };
      insertCheckpoint(conversation, made, checkpointText(trajectory, made, options));
      view = look(conversation);
    }
    rows.push({
      turn: turn.number,
      promptTokens: weigh(view.messages),
      cachedTokens: weigh(sharedBeginning(before, view.messages)) - weigh([]),
      outputTokens: turn.usage?.output ?? weigh([answerOf(turn)]) - weigh([emptyAnswer]),
      recordedTokens: turn.usage ? promptTokens(turn.usage) : null,
      masked: view.masked,
      summary: made,
    });
    before = view.messages;
    while (recorded[at]?.turn === turn.number) conversation.push(recorded[at++]!);
  }
  return rows;
}

const emptyAnswer: Message = { role: "assistant", text: "", kind: "action", turn: 0 };

function answerOf(turn: Trajectory["turns"][number]): Message {
  return { ...emptyAnswer, text: answerText(turn) };
}

interface Covered {
  fromTurn: number;
  toTurn: number;
}

function checkpointText(
  { turns }: Trajectory,
  { fromTurn, toTurn }: Covered,
  { summary, listActions }: ReplayOptions,
): string {
  const actions = listActions ? turns.slice(fromTurn - 1, toTurn).flatMap(({ action }) => action ?? []) : [];
  return [`Checkpoint for the last ${toTurn - fromTurn + 1} turns:`, summary.text, ...actions].join("\n");
}

/** The checkpoint stands behind the turns that it tells. */
function insertCheckpoint(conversation: Message[], { toTurn }: Covered, text: string): void {
  let at = conversation.length;
  while (at > 0 && conversation[at - 1]!.turn > toTurn) at--;
  conversation.splice(at, 0, { role: "user", text, kind: "checkpoint", turn: toTurn });
}

function sharedBeginning(before: readonly Message[], now: readonly Message[]): readonly Message[] {
  let same = 0;
  while (same < before.length && same < now.length && isSame(before[same]!, now[same]!)) same++;
  return now.slice(0, same);
}

function isSame(a: Message, b: Message): boolean {
  return a === b || (a.role === b.role && a.text === b.text);
}

/** The conversation that a trajectory tells: what was given, then each turn's action and what came back. */
export function conversationOf({ opening = [], turns }: Trajectory): Message[] {
  return [...opening, ...turns.flatMap(messagesOf)];
}

function messagesOf(turn: Turn): Message[] {
  const action: Message = { role: "assistant", text: answerText(turn), kind: "action", turn: turn.number };
  if (turn.observation === null) return [action];
  return [action, { role: "user", text: turn.observation, kind: "observation", turn: turn.number }];
}

/** What the model said; some formats keep the command in the thought, too. */
function answerText({ thought, action }: Turn): string {
  if (thought === null || action === null) return thought ?? action ?? "";
  return thought.includes(action.trim()) ? thought : `${thought}\n${action}`;
}

/** USD per million tokens. */
interface Price {
  input: number;
  cached: number;
  output: number;
}

/** What a replay comes to, the summariser's share apart. */
export interface ReplayTotals {
  promptTokens: number;
  cachedTokens: number;
  outputTokens: number;
  peakTokens: number;
  summaries: { count: number; promptTokens: number; outputTokens: number };
  /** Null where no price is known. The summariser's calls are in both; nobody caches them. */
  costUsd: { withoutCache: number; withIdealCache: number } | null;
}

export function totalReplay(turns: readonly ReplayedTurn[], price: Price | null): ReplayTotals {
  const sum = (of: (turn: ReplayedTurn) => number) => turns.reduce((total, turn) => total + of(turn), 0);
  const promptTokens = sum((turn) => turn.promptTokens);
  const cachedTokens = sum((turn) => turn.cachedTokens);
  const outputTokens = sum((turn) => turn.outputTokens);
  const summaries = {
    count: sum(({ summary }) => (summary ? 1 : 0)),
    promptTokens: sum(({ summary }) => summary?.promptTokens ?? 0),
    outputTokens: sum(({ summary }) => summary?.outputTokens ?? 0),
  };
  const cost = (cached: number) =>
    price &&
    ((promptTokens - cached + summaries.promptTokens) * price.input +
      cached * price.cached +
      (outputTokens + summaries.outputTokens) * price.output) /
      1e6;
  const [withoutCache, withIdealCache] = [cost(0), cost(cachedTokens)];
  return {
    ...{ promptTokens, cachedTokens, outputTokens, summaries },
    peakTokens: turns.reduce((most, turn) => Math.max(most, turn.promptTokens), 0),
    costUsd: withoutCache === null || withIdealCache === null ? null : { withoutCache, withIdealCache },
  };
}
