import {
  type ReplayedTurn,
  type ReplayTotals,
  replayTurns,
  totalReplay,
} from "../analysis/trajectories/replay-turns.ts";
import { findTrajectories, readTrajectoryFile } from "../archive/trajectories/read-trajectory-file.ts";
import type { Message } from "../core/message.ts";
import type { Params } from "../core/params.ts";
import type { Trajectory } from "../core/trajectory.ts";
import { parseModelSpec } from "../models/model-spec.ts";
import { findPrice, type Price, type PriceTable } from "../models/prices/price.ts";
import { readPriceFile } from "../models/prices/price-file.ts";
import { countPrompt, loadTokenizer } from "../models/tokens.ts";
import { loadStrategy, strategies } from "../targets/agent/strategies/index.ts";

export interface ReplayRequest {
  strategy: string;
  params: Params;
  /** Assumed, as no model is asked. */
  summaryTokens: number;
  /** Whose prices count; without one, the model that the file names. */
  model?: string;
  priceFile?: string;
}

export interface Replay {
  file: string;
  instance: string | null;
  /** Whose prices these are; null where none are known, and then why. */
  pricedAs: string | null;
  noPrice?: string;
  turns: ReplayedTurn[];
  /** Under the strategy, and as a whole conversation: both counted alike. */
  asked: ReplayTotals;
  raw: ReplayTotals;
  /** What the file itself says; null where it does not. */
  recorded: { promptTokens: number | null; costUsd: number | null };
}

/** Applies a strategy to recorded conversations, file after file. */
export async function* replayTrajectories(
  paths: readonly string[],
  request: ReplayRequest,
): AsyncGenerator<Replay | { file: string; problem: string }> {
  const strategy = await loadStrategy(request.strategy, process.cwd());
  const options = strategy.options(request.params);
  const count = await loadTokenizer();
  const weigh = (messages: readonly Message[]) => countPrompt(count, messages);
  const summary = { text: standIn(request.summaryTokens), tokens: request.summaryTokens };
  const prices = request.priceFile === undefined ? {} : await readPriceFile(request.priceFile);
  const listActions = request.params.extract_actions === true;
  for (const file of findTrajectories(paths)) {
    const read = readTrajectoryFile(file);
    if ("problem" in read) {
      yield { file, problem: read.problem };
      continue;
    }
    const { trajectory } = read;
    const replay = (look: (messages: readonly Message[]) => ReturnType<typeof strategy.view>) =>
      replayTurns(trajectory, { look, weigh, summary, listActions });
    const turns = replay((messages) => strategy.view(messages, options));
    const whole = replay((messages) => strategies.raw!.view(messages, {}));
    const { price, ...priced } = await priceFor(trajectory, request.model, prices);
    const { input, cached = 0, costUsd = null } = trajectory.totals;
    yield {
      file,
      instance: trajectory.instance,
      ...priced,
      turns,
      asked: totalReplay(turns, price),
      raw: totalReplay(whole, price),
      recorded: { promptTokens: input === undefined ? null : input + cached, costUsd },
    };
  }
}

/** One token a word, in all tokenizers of this kind. */
function standIn(tokens: number): string {
  return "the".concat(" the".repeat(Math.max(0, tokens - 1)));
}

interface Priced {
  price: Price | null;
  pricedAs: string | null;
  noPrice?: string;
}

async function priceFor(
  { model }: Trajectory,
  asked: string | undefined,
  prices: PriceTable,
): Promise<Priced> {
  if (asked === undefined && model === null)
    return { price: null, pricedAs: null, noPrice: "the file names no model; give --model" };
  const call = { prices, atMs: Date.now() };
  const names = asked === undefined ? guesses(model!) : [asked];
  for (const name of names) {
    try {
      const price = await findPrice(parseModelSpec(name), call);
      if (price) return { price, pricedAs: name };
    } catch (error) {
      // What the user wrote must be right; what a file says is only tried.
      if (asked !== undefined) throw error;
    }
  }
  const noPrice =
    asked === undefined ? `no price is known for ${model}; give --model` : `no price is known for ${asked}`;
  return { price: null, pricedAs: null, noPrice };
}

/** Files name models in many ways: `provider/model`, `provider:model`, or the model alone. */
function guesses(model: string): string[] {
  const colon = model.replace("/", ":");
  return [model, colon, `openai:${model}`, `anthropic:${model}`, `deepseek:${model}`];
}
