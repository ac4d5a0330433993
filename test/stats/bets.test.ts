import { describe, expect, test } from "vitest";
import { RandomStream, shuffle } from "../../src/core/random.ts";
import { betInterval, MeanBet, ShiftBet, WeightedOrder } from "../../src/stats/index.ts";
import { answer } from "./answer.ts";
import { rate, simulator } from "./calibration/simulate.ts";

const ALPHA = 0.05;
/** Three standard errors above α with so many experiments. */
const most = (runs: number) => ALPHA + 3 * Math.sqrt((ALPHA * (1 - ALPHA)) / runs);

/** Whether either sign is ever claimed, looking after every value. */
function everClaims(values: Iterable<number>, size = Number.POSITIVE_INFINITY): boolean {
  const bets = [1, -1].map((sign) => ({ sign, bet: new MeanBet({ alpha: ALPHA / 2, size }) }));
  for (const x of values)
    for (const { sign, bet } of bets) {
      bet.add(sign * x);
      if (bet.isRefuted) return true;
    }
  return false;
}

/** A finite set of differences with so many wins, losses and ties. */
const set = (wins: number, losses: number, ties: number) => [
  ...new Array<number>(wins).fill(1),
  ...new Array<number>(losses).fill(-1),
  ...new Array<number>(ties).fill(0),
];

describe("betting on the sign of a mean", () => {
  test.each([
    ["few differ", set(15, 15, 170)],
    ["most differ", set(90, 90, 20)],
    ["small gains, large losses", [...set(0, 30, 50), ...new Array<number>(120).fill(0.25)]],
  ])("of a finite set whose total is 0 claims a sign at most as often as promised: %s", (name, values) => {
    const runs = 600;
    const wrong = rate(runs, () => {
      const stream = new RandomStream(order++, `finite/${name}`);
      return everClaims(shuffle(values, stream), values.length);
    });
    expect(wrong).toBeLessThanOrEqual(most(runs));
  });
  let order = 0;

  test.each(["binary", "bounded"] as const)("of like arms claims one at most as often: %s", (kind) => {
    const { uniform } = simulator(`mean-bet/${kind}`);
    const draw = kind === "binary" ? () => (uniform() < 0.3 ? 1 : 0) : () => uniform() ** 3;
    const wrong = rate(600, () => everClaims(Array.from({ length: 300 }, () => draw() - draw())));
    expect(wrong).toBeLessThanOrEqual(most(600));
  });

  test("finds a true difference with about half the tasks that the whole set has", () => {
    const values = set(68, 28, 404);
    let used = 0;
    for (let run = 0; run < 100; run++) {
      const bet = new MeanBet({ alpha: ALPHA / 2, size: values.length });
      for (const x of shuffle(values, new RandomStream(run, "power"))) {
        used++;
        bet.add(x);
        if (bet.isRefuted) break;
      }
    }
    expect(used / 100).toBeLessThan(190);
  });

  test("is certain once the rest of the set can't turn the total, and not one value earlier", () => {
    const bet = new MeanBet({ alpha: 1e-9, size: 9 });
    for (const x of [1, 1, 1, 1]) bet.add(x);
    expect(bet.isRefuted).toBe(false);
    bet.add(1);
    expect(bet.isRefuted).toBe(true);
    const even = new MeanBet({ alpha: 1e-9, size: 8 });
    for (const x of [1, 1, 1, 1]) even.add(x);
    expect(even.isRefuted).toBe(false);
  });

  test("draws that history makes more likely keep the promise, and each counts for its chance", () => {
    // As misleading as can be: the losses hide among tasks that are drawn seldom.
    const values = [...set(30, 10, 60), ...set(0, 20, 80)];
    const drawn = (seed: number) => {
      const order = new WeightedOrder(200, new RandomStream(seed, "weighted"));
      order.weigh((index) => (index < 100 ? 1.5 : 0.5));
      return order;
    };
    let run = 0;
    const wrong = rate(600, () => {
      const order = drawn(run++);
      const bets = [1, -1].map((sign) => ({ sign, bet: new MeanBet({ alpha: ALPHA / 2, size: 200 }) }));
      for (let t = 0; t < 200; t++) {
        // The weights may follow what was seen.
        if (t === 60) order.weigh((index) => (index < 100 ? 1 : 2));
        const { index, ...draw } = order.draw();
        for (const { sign, bet } of bets) bet.add(sign * values[index]!, draw);
      }
      return bets.some(({ bet }) => bet.isRefuted);
    });
    expect(wrong).toBeLessThanOrEqual(most(600));
    let total = 0;
    for (let seed = 0; seed < 800; seed++) {
      const { index, odds } = drawn(seed).draw();
      total += values[index]! * odds;
    }
    expect(Math.abs(total / 800)).toBeLessThan(0.08);
  });
});

describe("betting on a shift without bounds", () => {
  test("of like lognormal arms claims one at most as often as promised, and finds a true one", () => {
    const { lognormal } = simulator("shift-bet");
    const claims = (factor: number) =>
      rate(600, () => {
        const bets = [1, -1].map((sign) => ({ sign, bet: new ShiftBet({ alpha: ALPHA / 2 }) }));
        for (let n = 0; n < 200; n++) {
          const d = factor * lognormal() - lognormal();
          for (const { sign, bet } of bets) bet.add(sign * d);
        }
        return bets.some(({ bet }) => bet.isRefuted);
      });
    expect(claims(1)).toBeLessThanOrEqual(most(600));
    expect(claims(2)).toBeGreaterThan(0.9);
  });
});

test("the interval holds what was not refuted, covers the truth at every look, and closes at the end of the set", () => {
  const values = set(40, 20, 60);
  const interval = (xs: number[]) =>
    answer(
      betInterval(xs, {
        range: [-1, 1],
        against: (claim, alpha) => new MeanBet({ claim, alpha, size: 120 }),
      }),
    );
  let run = 0;
  const misses = rate(40, () => {
    const order = shuffle(values, new RandomStream(run++, "interval"));
    return [10, 40, 80, 120].some((n) => {
      const { low, high } = interval(order.slice(0, n));
      return low > 1 / 6 + 1e-9 || high < 1 / 6 - 1e-9;
    });
  });
  expect(misses).toBeLessThanOrEqual(0.15);
  const { estimate, low, high } = interval(values);
  expect(estimate).toBeCloseTo(1 / 6, 12);
  expect(high - low).toBeLessThan(0.02);
});
