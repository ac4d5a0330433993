import type { ReplayedTurn } from "./replay-turns.ts";

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
