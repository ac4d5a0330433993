import { expect, test } from "vitest";
import { RandomStream } from "../../src/core/random.ts";
import { CallFailure } from "../../src/models/call-failure.ts";
import { type RetryRule, waitBeforeRetry } from "../../src/models/retry.ts";

const RULE = { tries: 4, firstMs: 1000, longestMs: 3000 };
const wait = (facts: Partial<CallFailure>, tried: number, call = 0, rule: RetryRule = RULE) =>
  waitBeforeRetry(new CallFailure("no", { kind: "server", ...facts }), tried, {
    rule,
    random: new RandomStream(1, "retry"),
    call,
  });

test("a Retry-After is never undercut, nor stretched by more than a tenth", () => {
  for (let call = 0; call < 200; call++) {
    expect(wait({ retryAfterMs: 2000 }, 1, call)).toBeGreaterThanOrEqual(2000);
    expect(wait({ retryAfterMs: 2000 }, 1, call)).toBeLessThanOrEqual(2200);
  }
});

test("without one, waits double up to the longest, each drawn from its upper half", () => {
  for (const [tried, mostMs] of [
    [1, 1000],
    [2, 2000],
    [3, 3000],
  ] as const) {
    const waits = Array.from({ length: 200 }, (_, call) => wait({}, tried, call)!);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(mostMs / 2);
    expect(Math.max(...waits)).toBeLessThanOrEqual(mostMs);
    expect(new Set(waits).size).toBe(200);
  }
});

test("no more tries after the last, for what will not pass, and for who asks for too much patience", () => {
  expect(wait({}, 4)).toBeUndefined();
  expect(wait({ kind: "auth" }, 1)).toBeUndefined();
  expect(wait({ retryAfterMs: 3001 }, 1)).toBeUndefined();
});

test("callers that try again themselves are spared a 429 that tells its time, and nothing else", () => {
  const patience = (facts: Partial<CallFailure>) => wait(facts, 1, 0, { ...RULE, isToldOnly: true });
  expect(patience({ kind: "rate-limit", retryAfterMs: 0 })).toBe(0);
  expect(patience({ kind: "rate-limit" })).toBeUndefined();
  expect(patience({ kind: "server", retryAfterMs: 0 })).toBeUndefined();
  expect(patience({ kind: "rate-limit", retryAfterMs: 3001 })).toBeUndefined();
});
