import { expect, test } from "vitest";
import * as stats from "../../src/stats/index.ts";
import { answer } from "./answer.ts";
import { expectClose } from "./close.ts";

const scores: number[] = Array.from({ length: 400 }, (_, i) => ((i * 7919) % 10 < 7 ? 1 : 0));

test("the asymptotic sequence is its formula at every n", () => {
  const sequence = answer(stats.asymptoticSequence(scores, { from: 30, tightestAt: 50 }));
  const rr = (2 * Math.log(20) + Math.log(1 + 2 * Math.log(20))) / 50;
  const t = 200;
  const first = scores.slice(0, t);
  const mean = answer(stats.mean(first)).value;
  const sd = Math.sqrt(first.reduce((sum, x) => sum + (x - mean) ** 2, 0) / t);
  const half = sd * Math.sqrt(((2 * (t * rr + 1)) / (t * t * rr)) * Math.log(Math.sqrt(t * rr + 1) / 0.05));
  expectClose(sequence.lows[t - 30]!, mean - half, 1e-10);
  expectClose(sequence.highs[t - 30]!, mean + half, 1e-10);
  expect(sequence.lows).toHaveLength(371);
});

test("the betting interval holds the claims that betting has not refuted, and only those", () => {
  const { low, high } = answer(stats.bettingInterval(scores));
  const last = (claim: number) => answer(stats.bettingCapital(scores, claim)).capital.at(-1)!;
  expectClose(last(low), 20, 1e-6);
  expectClose(last(high), 20, 1e-6);
  expect(last((low + high) / 2)).toBeLessThan(20);
  expect(last(low - 0.01)).toBeGreaterThan(20);
});

test("it narrows as scores come in and scales with the bounds", () => {
  const width = (n: number) => {
    const { low, high } = answer(stats.bettingInterval(scores.slice(0, n)));
    return high - low;
  };
  expect(width(400)).toBeLessThan(0.6 * width(100));
  const plain = answer(stats.bettingInterval(scores));
  const wide = answer(
    stats.bettingInterval(
      scores.map((x) => 10 * x - 5),
      { bounds: [-5, 5] },
    ),
  );
  expectClose(wide.low, 10 * plain.low - 5, 1e-9);
});

test("few scores say little, one says nothing, and a score outside the bounds is refused", () => {
  expect(answer(stats.bettingInterval([1]))).toMatchObject({ low: 0, high: 1 });
  expect(stats.bettingInterval([0.2, 1.4])).toMatchObject({ known: false });
  expect(stats.asymptoticSequence(scores.slice(0, 49))).toMatchObject({ known: false });
});

test("the p-value of betting only falls, so looking more often can't hurt", () => {
  let before = 1;
  for (let n = 1; n <= 400; n += 7) {
    const { p } = answer(stats.bettingCapital(scores.slice(0, n), 0.5));
    expect(p).toBeLessThanOrEqual(before);
    before = p;
  }
  expect(before).toBeLessThan(0.001);
});
