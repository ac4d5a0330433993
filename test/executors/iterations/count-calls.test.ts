import { describe, expect, test } from "vitest";
import { countCalls } from "../../../src/executors/iterations/run-iterations.ts";
import { Stopwatch } from "../../../src/executors/iterations/stopwatch.ts";
import type { Target, TargetContext } from "../../../src/targets/target.ts";

function counting(body: () => unknown = () => ({})) {
  const seen = { calls: 0 };
  const run = () => {
    seen.calls++;
    return body();
  };
  return {
    seen,
    call: {
      target: { run } as unknown as Target,
      ctx: {} as TargetContext,
      state: undefined,
      log: { spend: () => {} },
    },
  };
}

describe("calls between two readings of the clock", () => {
  test("are one unless asked for, and as many as asked for", async () => {
    const { seen, call } = counting();
    expect(await countCalls(undefined, call)).toBe(1);
    expect(await countCalls(25, call)).toBe(25);
    expect(seen.calls).toBe(0);
  });

  test("are many where the body does nothing, and those before count as warm-up", async () => {
    const { call } = counting();
    expect(await countCalls("auto", call)).toBeGreaterThan(100);
    expect(call.ctx.iteration).toBe(-1);
  });

  test("a batch calls so often, and its time is that of one call", async () => {
    for (const body of [() => ({ n: 1 }), async () => ({ n: 1 })]) {
      const { seen, call } = counting(body);
      const watch = new Stopwatch();
      const before = process.hrtime.bigint();
      expect(await watch.timeBatch(call.target, call.ctx, undefined, 1000)).toEqual({ n: 1 });
      const wholeNs = Number(process.hrtime.bigint() - before);
      expect(seen.calls).toBe(1000);
      expect(watch.elapsedNs * 1000).toBeLessThanOrEqual(wholeNs);
      expect(watch.elapsedNs).toBeGreaterThan(0);
    }
  });
});
