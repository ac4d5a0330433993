import { describe, expect, test } from "vitest";
import { summariseFile } from "../../../src/analysis/trajectories/summarise-file.ts";
import { FolderTally } from "../../../src/analysis/trajectories/summarise-folder.ts";
import type { Trajectory, Turn } from "../../../src/core/trajectory.ts";

const turn = (number: number, more: Partial<Turn> = {}): Turn => ({
  ...{ number, thought: "t", action: "a", observation: "o", ...more },
});

function aTrajectory(more: Partial<Trajectory> = {}): Trajectory {
  return {
    ...{ format: "swe-agent", instance: "i", model: "m", exitStatus: "submitted", submission: "diff" },
    ...{ turns: [turn(1), turn(2)], totals: {}, ...more },
  };
}

function folderOf(...trajectories: Trajectory[]) {
  const tally = new FolderTally();
  for (const one of trajectories) tally.add(summariseFile(one));
  return tally;
}

describe("a trajectory's summary", () => {
  test("of a file that says nothing is unknown, not zero", () => {
    expect(summariseFile(aTrajectory({ submission: null }))).toMatchObject({
      ...{
        calls: null,
        costUsd: null,
        wallMs: null,
        cacheHitRate: null,
        avgTokensPerTurn: null,
        isEmpty: null,
      },
      tokens: { input: null, cached: null, output: null, reasoning: null },
      parts: { agent: null, summary: null, retry: null },
    });
  });

  // 300 / (100 + 300), and 400 tokens over 2 turns.
  test("has the cache's hit rate and the tokens a turn", () => {
    const file = summariseFile(aTrajectory({ totals: { input: 100, cached: 300 } }));
    expect(file).toMatchObject({ cacheHitRate: 0.75, avgTokensPerTurn: 200 });
  });

  test("counts blank patches as empty", () => {
    expect(summariseFile(aTrajectory({ submission: " \n" })).isEmpty).toBe(true);
    expect(summariseFile(aTrajectory({ submission: "" })).isEmpty).toBe(true);
  });

  test("tells a limit of calls from one of money where the file tells", () => {
    const limit = (totals: Trajectory["totals"], limits: NonNullable<Trajectory["limits"]>) =>
      summariseFile(aTrajectory({ exitStatus: "submitted (exit_cost)", totals, limits })).limit;
    expect(limit({ calls: 250, costUsd: 1 }, { calls: 250, costUsd: 3 })).toBe("calls");
    expect(limit({ calls: 200, costUsd: 3.1 }, { calls: 250, costUsd: 3 })).toBe("cost");
    expect(limit({ costUsd: 1 }, { calls: 250 })).toBeNull();
    expect(summariseFile(aTrajectory({ exitStatus: "exit_cost_tokens" })).limit).toBe("tokens");
  });

  test("has times only where every turn has", () => {
    const turns = [turn(1, { toolMs: 10, wallMs: 30 }), turn(2, { toolMs: 5 })];
    expect(summariseFile(aTrajectory({ turns }))).toMatchObject({ toolMs: 15, wallMs: null });
  });
});

describe("a folder's summary", () => {
  test("sums over the files that know, and counts those that do not", () => {
    const { costUsd, tokens } = folderOf(
      aTrajectory({ totals: { costUsd: 1, input: 10 } }),
      aTrajectory({ totals: { costUsd: 3 } }),
      aTrajectory(),
    ).summary();
    expect(costUsd).toEqual({ total: 4, mean: 2, known: 2, unknown: 1 });
    expect(tokens.input).toEqual({ total: 10, mean: 10, known: 1, unknown: 2 });
    expect(tokens.cached).toEqual({ total: null, mean: null, known: 0, unknown: 3 });
  });

  // 2 turns each: 100 + 300 + 200 tokens over 4 turns of files that know; 300 of 400 cached.
  test("weighs rates by what they are rates of", () => {
    const folder = folderOf(
      aTrajectory({ totals: { input: 100, cached: 300 } }),
      aTrajectory({ totals: { input: 200 } }),
      aTrajectory(),
    ).summary();
    expect(folder).toMatchObject({ avgTokensPerTurn: 150, cacheHitRate: 0.75 });
  });

  test("counts exits, submissions, empty ones, and broken files apart", () => {
    const tally = folderOf(
      aTrajectory(),
      aTrajectory({ exitStatus: "submitted (exit_cost)", submission: "" }),
      aTrajectory({ exitStatus: null, submission: null }),
      aTrajectory({ exitStatus: "submitted", submission: null }),
    );
    tally.addBroken();
    expect(tally.summary()).toMatchObject({
      ...{ files: 4, broken: 1, submitted: 3, emptySubmissions: 1, unknownSubmissions: 1 },
      exits: { submitted: 2, exit_cost: 1, unknown: 1 },
    });
  });

  test("counts what was solved only of files that tell", () => {
    const folder = folderOf(
      aTrajectory({ isResolved: true }),
      aTrajectory({ isResolved: false }),
      aTrajectory(),
    );
    expect(folder.summary().resolved).toEqual({ count: 1, known: 2 });
  });

  test("has each spender's share of cost and calls, over files with whole accounts", () => {
    const whole = { agent: { costUsd: 3, calls: 9 }, summary: { costUsd: 1, calls: 1 } };
    const half = { agent: { costUsd: 100 }, summary: { costUsd: 1, calls: 1 } };
    const { parts } = folderOf(aTrajectory({ parts: whole }), aTrajectory({ parts: half })).summary();
    expect(parts?.agent).toEqual({ costUsd: 3, calls: 9, costFraction: 0.75, callFraction: 0.9 });
    expect(parts?.summary).toEqual({ costUsd: 1, calls: 1, costFraction: 0.25, callFraction: 0.1 });
    expect(parts?.retry).toEqual({ costUsd: 0, calls: 0, costFraction: 0, callFraction: 0 });
    expect(folderOf(aTrajectory()).summary().parts).toBeNull();
  });
});
