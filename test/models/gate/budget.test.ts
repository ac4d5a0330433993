import fc from "fast-check";
import { expect, test } from "vitest";
import { Budget } from "../../../src/models/gate/budget.ts";
import { LocalGate } from "../../../src/models/gate/local-gate.ts";
import { ModelError } from "../../../src/models/model.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";

/** Calls that arrive together, each with its worst and its real cost; tells what was spent and who was refused. */
async function spend(limitUsd: number, calls: { worstUsd: number; costUsd: number }[]) {
  const clock = new VirtualClock();
  const gate = new LocalGate(clock, new Budget(limitUsd));
  let mostUsd = 0;
  const results = await Promise.allSettled(
    calls.map(async ({ worstUsd, costUsd }, i) => {
      const ticket = await gate.admit({
        provider: `p${i % 3}`,
        worstUsd,
        signal: new AbortController().signal,
      });
      mostUsd = Math.max(mostUsd, gate.budget.spentUsd + gate.budget.inFlightUsd);
      await clock.sleep(1 + (i % 7));
      ticket.settle({ costUsd, result: "ok" });
    }),
  );
  const refused = results
    .filter((result) => result.status === "rejected")
    .map(({ reason }) => reason as unknown);
  return { budget: gate.budget, refused, mostUsd };
}

test("with twenty calls at once what is spent never passes the limit", async () => {
  const { budget, refused } = await spend(1, Array(20).fill({ worstUsd: 0.1, costUsd: 0.1 }));
  // Ten fit, up to what adding tenths leaves over.
  expect(budget.spentUsd).toBeLessThanOrEqual(1 + 1e-9);
  expect(budget.spentUsd).toBeGreaterThan(0.85);
  expect(refused.length).toBeGreaterThanOrEqual(10);
  for (const error of refused) expect(error).toMatchObject({ kind: "budget" });
});

test("what calls do not need is given to those who wait", async () => {
  // One at a time fits by its worst; all twenty fit by what they really cost.
  const { budget, refused } = await spend(1, Array(20).fill({ worstUsd: 0.6, costUsd: 0.02 }));
  expect(refused).toEqual([]);
  expect(budget.spentUsd).toBeCloseTo(0.4, 9);
});

test("for any calls that cost no more than their worst, the limit holds at every moment", async () => {
  const call = fc
    .record({
      worstUsd: fc.double({ min: 0, max: 0.5, noNaN: true }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    .map(({ worstUsd, share }) => ({ worstUsd, costUsd: worstUsd * share }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(call, { maxLength: 20 }),
      fc.double({ min: 0, max: 2, noNaN: true }),
      async (calls, limit) => {
        const { budget, mostUsd, refused } = await spend(limit, calls);
        expect(mostUsd).toBeLessThanOrEqual(limit + 1e-9);
        expect(budget.inFlightUsd).toBeCloseTo(0, 9);
        for (const error of refused) expect(error).toBeInstanceOf(ModelError);
      },
    ),
    { numRuns: 40 },
  );
});

test("what an earlier launch spent counts", () => {
  expect(() => new Budget(1, { spentUsd: 0.95 }).check(0.1)).toThrow(/budget of \$1 .*\$0.95 are spent/);
  expect(new Budget(1, { spentUsd: 0.85 }).check(0.1)).toBe("now");
});

test("a limit and an unknown price do not go together", () => {
  expect(() => new Budget(1).check(null)).toThrow(/price is unknown/);
  expect(new Budget(null).check(null)).toBe("now");
});
