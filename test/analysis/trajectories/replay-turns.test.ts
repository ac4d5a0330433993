import { describe, expect, test } from "vitest";
import { conversationOf, replayTurns, totalReplay } from "../../../src/analysis/trajectories/replay-turns.ts";
import type { Message } from "../../../src/core/message.ts";
import type { Trajectory } from "../../../src/core/trajectory.ts";
import { strategies } from "../../../src/targets/agent/strategies/index.ts";

/** The task has 100 letters, an answer 10, an output 50: a token a letter. */
function aTrajectory(turns: number): Trajectory {
  return {
    ...{ format: "x", instance: null, model: null, exitStatus: null, submission: null, totals: {} },
    opening: [{ role: "user", text: "t".repeat(100), kind: "task", turn: 0 }],
    turns: Array.from({ length: turns }, (_, i) => ({
      ...{ number: i + 1, thought: null, action: "a".repeat(10), observation: String(i % 10).repeat(50) },
    })),
  };
}

const weigh = (messages: readonly Message[]) => messages.reduce((sum, { text }) => sum + text.length, 0);
const summary = { text: "s".repeat(20), tokens: 20 };

function replay(turns: number, name: string, given: Record<string, number | boolean> = {}) {
  const strategy = strategies[name]!;
  const options = strategy.options(given);
  const look = (messages: readonly Message[]) => strategy.view(messages, options);
  return replayTurns(aTrajectory(turns), { look, weigh, summary });
}

describe("a replay", () => {
  test("without a strategy sends all there was, and an ideal cache has all but the last turn", () => {
    const rows = replay(4, "raw");
    expect(rows.map(({ promptTokens }) => promptTokens)).toEqual([100, 160, 220, 280]);
    expect(rows.map(({ cachedTokens }) => cachedTokens)).toEqual([0, 100, 160, 220]);
    expect(rows.map(({ outputTokens }) => outputTokens)).toEqual([10, 10, 10, 10]);
  });

  // "Old environment output: (1 lines omitted)" has 41 letters instead of 50.
  test("with masking sends a line for what it masks, and the cache ends at the newest mask", () => {
    const rows = replay(4, "observation_masking", { obs_n: 1 });
    expect(rows.map(({ masked }) => masked)).toEqual([0, 0, 1, 2]);
    expect(rows.map(({ promptTokens }) => promptTokens)).toEqual([100, 160, 220 - 9, 280 - 18]);
    expect(rows.map(({ cachedTokens }) => cachedTokens)).toEqual([0, 100, 110, 100 + 10 + 41 + 10]);
  });

  // Before turn 4 there are 3 = 2 + 1 turns: the first two become a checkpoint of title and 20 letters.
  test("with summaries asks for one when it is due, and sends it in place of its turns", () => {
    const rows = replay(6, "llm_summary", { sum_n: 2, sum_keep_m: 1 });
    const title = "Checkpoint for the last 2 turns:\n".length;
    expect(rows.map(({ summary }) => summary && [summary.fromTurn, summary.toTurn])).toEqual([
      ...[null, null, null],
      ...[[1, 2], null, [3, 4]],
    ]);
    expect(rows[3]).toMatchObject({
      promptTokens: 100 + title + 20 + 60,
      cachedTokens: 100,
      summary: { promptTokens: 100 + 120, outputTokens: 20 },
    });
    // The second one is told the first, in place of the task.
    expect(rows[5]?.summary?.promptTokens).toBe(title + 20 + 120);
  });

  test("takes recorded outputs before counted ones, and shows what was recorded", () => {
    const trajectory = aTrajectory(1);
    trajectory.turns[0]!.usage = { input: 30, cached: 60, output: 7 };
    const [row] = replayTurns(trajectory, { look: (all) => ({ messages: all, masked: 0 }), weigh, summary });
    expect(row).toMatchObject({ outputTokens: 7, recordedTokens: 90 });
  });

  test("leaves the recorded conversation as it is", () => {
    const trajectory = aTrajectory(3);
    const before = structuredClone(conversationOf(trajectory));
    const strategy = strategies.llm_summary!;
    const options = strategy.options({ sum_n: 2, sum_keep_m: 0 });
    replayTurns(trajectory, { look: (all) => strategy.view(all, options), weigh, summary });
    expect(conversationOf(trajectory)).toEqual(before);
  });
});

describe("a replay's total", () => {
  // 760 prompt, 480 cached, 40 output at 1, 0.1 and 2 dollars a million.
  test("has the cost without a cache and with an ideal one", () => {
    const { costUsd, peakTokens } = totalReplay(replay(4, "raw"), { input: 1, cached: 0.1, output: 2 });
    expect(peakTokens).toBe(280);
    expect(costUsd?.withoutCache).toBeCloseTo((760 + 80) / 1e6, 12);
    expect(costUsd?.withIdealCache).toBeCloseTo((280 + 48 + 80) / 1e6, 12);
  });

  test("counts the summariser's calls, and no cost without a price", () => {
    const turns = replay(6, "llm_summary", { sum_n: 2, sum_keep_m: 1 });
    const priced = totalReplay(turns, { input: 1, cached: 1, output: 1 });
    const { promptTokens, outputTokens, summaries } = priced;
    expect(summaries.count).toBe(2);
    expect(priced.costUsd?.withoutCache).toBeCloseTo(
      (promptTokens + outputTokens + summaries.promptTokens + summaries.outputTokens) / 1e6,
      12,
    );
    expect(totalReplay(turns, null).costUsd).toBeNull();
  });
});
