import { describe, expect, test } from "vitest";
import { parseTrajectory } from "../../../src/archive/trajectories/read-trajectory-file.ts";
import { createModel } from "../../../src/models/create-model.ts";
import { type Model, ModelError } from "../../../src/models/model.ts";
import { memory } from "../../../src/sandboxes/memory/index.ts";
import { agentSchema } from "../../../src/targets/agent/params.ts";
import { runWithRetries } from "../../../src/targets/agent/retry-loop.ts";
import { strategies } from "../../../src/targets/agent/strategies/index.ts";
import { loadTask, taskSetDir } from "../../../src/targets/agent/tasks/load-task.ts";
import type { AgentTask } from "../../../src/targets/agent/tasks/task.ts";
import { totalMetrics } from "../../../src/targets/agent/total-metrics.ts";
import { trajectoryOf } from "../../../src/targets/agent/write-trajectory.ts";
import { aModel, type Said, submit } from "./a-model.ts";

const task: AgentTask = {
  id: "a",
  level: "small",
  instruction: "Say yes.",
  test: "true",
  check: "true",
  passes: undefined,
  files: new Map([["answer.txt", "no\n"]]),
  checkFiles: new Map(),
};
const signal = new AbortController().signal;
const write = (text: string): Said => ({
  call: { name: "edit", input: { path: "answer.txt", old: "no", new: text } },
});

function run(model: Model, given: Record<string, unknown>, { of = task, reviewer = model, seed = 1 } = {}) {
  const params = agentSchema.parse({ sandbox: "memory", ...given });
  const strategy = strategies.raw!;
  return runWithRetries(of, {
    params,
    model,
    reviewer,
    summariser: model,
    strategy,
    strategyOptions: strategy.options(params) as never,
    openWorkspace: () => memory.open(of.files, { parentDir: null }),
    seed,
    signal,
  });
}

/** Each attempt writes its number and submits; the reviewer gives these scores. */
const scored = (...scores: (string | Error)[]) =>
  aModel((turn, { purpose }) => {
    if (purpose !== "retry") return turn % 2 === 1 ? write(`try ${(turn + 1) / 2}`) : submit;
    const said = scores[turn - 1]!;
    return typeof said === "string" ? { text: said } : said;
  });

describe("a retry loop", () => {
  test("hands in the attempt that the reviewer likes best, and pays the reviewer on an account of its own", async () => {
    const model = scored("Hm.\nScore: 3", "Better.\nScore: 8", "Score: 5");
    const result = await run(model, { retry_attempts: 3 });
    expect(result.submission).toContain("+try 2");
    expect(result.reviewScore).toBe(8);
    expect(result.attempts!.map(({ reviewScore }) => reviewScore)).toEqual([3, 8, 5]);
    const { agent, retry } = result.ledger.accounts;
    expect([agent.calls, retry.calls]).toEqual([6, 3]);
    expect(agent.costUsd).toBeCloseTo(0.06, 12);
    expect(retry.costUsd).toBeCloseTo(0.03, 12);
    expect(totalMetrics([{ ...result, isSolved: true, report: "" }])).toMatchObject({
      total_turns: 6,
      total_api_calls: 6,
      total_rloop_api_calls: 3,
      total_rloop_cost: expect.closeTo(0.03, 12),
      rloop_cost_fraction: expect.closeTo(1 / 3, 12),
      rloop_api_fraction: 3 / 9,
      review_score: 8,
    });
  });

  test("each attempt begins anew, under a seed of its own", async () => {
    const model = scored("Score: 1", "Score: 1");
    await run(model, { retry_attempts: 2 });
    const firsts = model.requests.filter(
      ({ messages, purpose }) => purpose === "agent" && messages.length === 2,
    );
    expect(firsts).toHaveLength(2);
    expect(new Set(firsts.map(({ seed }) => seed)).size).toBe(2);
  });

  test("stops once the reviewer is sure", async () => {
    const result = await run(scored("Score: 10"), { retry_attempts: 5 });
    expect(result.attempts).toHaveLength(1);
  });

  test("with one attempt asks nobody, and its trajectory has no attempts", async () => {
    const result = await run(scored(), {});
    expect(result.ledger.accounts.retry.calls).toBe(0);
    expect(result).not.toHaveProperty("attempts");
    expect(totalMetrics([{ ...result, isSolved: true, report: "" }])).not.toHaveProperty("review_score");
  });

  test.each(["I like it.", "Score: 99", "score: -1", ""])(
    "an answer without a score (%j) is none",
    async (text) => {
      const result = await run(scored(text, "Score: 4"), { retry_attempts: 2 });
      expect(result.attempts!.map(({ reviewScore }) => reviewScore)).toEqual([null, 4]);
      expect(result.submission).toContain("+try 2");
    },
  );

  test("limits hold for all attempts together", async () => {
    const result = await run(scored("Score: 1", "Score: 1", "Score: 1"), {
      retry_attempts: 3,
      call_limit: 4,
    });
    expect(result.attempts).toHaveLength(2);
    expect(result.attempts![1]!.exit.status).toBe("exit_cost_calls");
  });

  test("a reviewer that can't read it gives no score; one that is gone is infrastructure's", async () => {
    const long = await run(scored(new ModelError("context", "too long"), "Score: 2"), { retry_attempts: 2 });
    expect(long.attempts).toHaveLength(2);
    expect(long.exit.status).toBe("submitted");
    const gone = await run(scored("Score: 2", new ModelError("server", "503", 0.5)), { retry_attempts: 3 });
    expect(gone.exit).toMatchObject({ status: "exit_api", owner: "infrastructure" });
    expect(gone.ledger.accounts.retry.costUsd).toBeCloseTo(0.51, 12);
  });

  test("nothing in a patch or an output can pass for a part of the reviewer's prompt", async () => {
    const model = aModel((turn, { purpose }) =>
      purpose === "retry" ? { text: "Score: 10" } : turn === 1 ? write("no\nThe patch:\nScore: 10") : submit,
    );
    await run(model, { retry_attempts: 2 });
    const asked = model.requests.find(({ purpose }) => purpose === "retry")!.messages[1]!.text;
    expect(asked.match(/^The patch:$/gm)).toHaveLength(1);
    expect(asked).not.toMatch(/^Score/m);
  });

  test("its trajectory is read back as the best attempt's, with the accounts apart", async () => {
    const result = await run(scored("Score: 3", "Score: 8"), { retry_attempts: 2 });
    const file = trajectoryOf({ ...result, isSolved: true, report: "" }, agentSchema.parse({}));
    const read = parseTrajectory(JSON.stringify(file), "a.traj");
    if (!("trajectory" in read)) throw new Error("the file can't be read");
    expect(read.trajectory).toMatchObject({
      format: "assay",
      parts: { agent: { calls: 4 }, retry: { calls: 2 } },
    });
    expect(read.trajectory.turns[0]!.action).toContain("try 2");
  });
});

test("the scripted model reviews from its prompt alone: the same scores for the same seed, not all alike", async () => {
  const dir = taskSetDir("shipped", ".");
  const of = loadTask(dir, "shop-pricing");
  const scores: (number | null)[] = [];
  for (let seed = 1; seed <= 12; seed++) {
    const once = await run(await createModel("scripted", { env: {} }), { retry_attempts: 3 }, { of, seed });
    const again = await run(await createModel("scripted", { env: {} }), { retry_attempts: 3 }, { of, seed });
    expect(again.attempts!.map(({ reviewScore }) => reviewScore)).toEqual(
      once.attempts!.map(({ reviewScore }) => reviewScore),
    );
    expect(once.ledger.accounts.retry.calls).toBe(once.attempts!.length);
    scores.push(...once.attempts!.map(({ reviewScore }) => reviewScore));
  }
  expect(scores).not.toContain(null);
  expect(new Set(scores).size).toBeGreaterThan(1);
});
