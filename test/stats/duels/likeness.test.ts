import { describe, expect, test } from "vitest";
import { RandomStream } from "../../../src/core/random.ts";
import { Duel, type Likeness } from "../../../src/stats/duels/duel.ts";
import { likenessOf } from "../../../src/stats/duels/likeness.ts";
import { type Pair, playDuel, TaskOrder } from "../../../src/stats/duels/task-order.ts";
import { normalQuantile } from "../../../src/stats/index.ts";

const ALPHA = 0.05;
const TASKS = 150;

/** Agents of two abilities on tasks that need either to their own extent and may be guessed: not what history takes them for. */
function simulated(seed: number, agents: number, spread = 1.5): number[][] {
  const normal = (purpose: string) => {
    const stream = new RandomStream(seed, `likeness/${purpose}`);
    return (...at: [number, number?]) => normalQuantile(stream.uniform(...at));
  };
  const [ability, easiness, need] = ["abilities", "easiness", "needs"].map(normal);
  const chance = new RandomStream(seed, "likeness/outcomes");
  return Array.from({ length: agents }, (_, a) =>
    Array.from({ length: TASKS }, (_, t) => {
      const drive = [0, 1].reduce((sum, k) => sum + Math.exp(0.4 * need!(t, k)) * ability!(a, k), 0);
      const solves = 0.1 + 0.9 / (1 + Math.exp(-0.7 * drive - spread * easiness!(t)));
      return chance.uniform(a, t) < solves ? 1 : 0;
    }),
  );
}

/** Tasks that the better one won become ties, until there is no difference. */
function even(one: readonly number[], other: readonly number[]): Pair {
  const pair: [number[], number[]] = [[...one], [...other]];
  const excess = one.reduce((sum, value, t) => sum + value - other[t]!, 0);
  const better = pair[excess > 0 ? 0 : 1];
  const worse = pair[excess > 0 ? 1 : 0];
  const won = better.flatMap((value, t) => (value > worse[t]! ? [t] : []));
  // Evenly among them, since tasks have no order here.
  for (let k = 0; k < Math.abs(excess); k++)
    better[won[Math.floor(((k + 0.5) * won.length) / Math.abs(excess))]!] = 0;
  return pair;
}

function play(pair: Pair, likeness: Likeness, seed: number): Duel {
  const duel = new Duel({ alpha: ALPHA, size: TASKS, width: 1, likeness });
  const order = new TaskOrder(likeness.easiness, new RandomStream(seed, "order"));
  playDuel(duel, order, pair);
  return duel;
}

describe("agents that are like earlier ones", () => {
  test("are told apart as seldom as promised where they don't differ, though they have two abilities and guess", () => {
    let [wrong, studies] = [0, 0];
    for (let seed = 0; seed < 10; seed++) {
      const agents = simulated(seed, 30);
      const likeness = likenessOf(agents.slice(0, 20))!;
      for (let i = 20; i < 30; i++)
        for (let j = 20; j < i; j++) {
          studies++;
          if (play(even(agents[i]!, agents[j]!), likeness, studies).verdict !== null) wrong++;
        }
    }
    expect(wrong / studies).toBeLessThanOrEqual(ALPHA + 3 * Math.sqrt((ALPHA * (1 - ALPHA)) / studies));
  });

  test("are decided with fewer tasks than where nothing is counted on, where many tasks are easy or hard for all", () => {
    const agents = simulated(1, 30, 4);
    const likeness = likenessOf(agents.slice(0, 20))!;
    let [tasks, alone] = [0, 0];
    for (let i = 20; i < 30; i++)
      for (let j = 20; j < i; j++) {
        const pair = [agents[i]!, agents[j]!] as const;
        tasks += play(pair, likeness, i * 30 + j).differences.length;
        const duel = new Duel({ alpha: ALPHA, size: TASKS, width: 1 });
        playDuel(duel, new TaskOrder(likeness.easiness, new RandomStream(i * 30 + j, "alone")), pair);
        alone += duel.differences.length;
      }
    expect(tasks).toBeLessThan(0.9 * alone);
  });

  test("have an interval that says so, and that is a point once every task is tried", () => {
    const agents = simulated(2, 22);
    const likeness = likenessOf(agents.slice(0, 20))!;
    const [one, other] = [agents[20]!, agents[21]!];
    const truth = one.reduce((sum, value, t) => sum + value - other[t]!, 0) / TASKS;
    const duel = play([one, other], likeness, 1);
    const early = duel.interval();
    expect(early.known && early.low <= truth && truth <= early.high).toBe(true);
    const whole = new Duel({ alpha: 1e-12, size: TASKS, width: 1, likeness });
    const pair = even(one, other);
    playDuel(whole, new TaskOrder(likeness.easiness, new RandomStream(3, "whole")), pair);
    expect(whole.differences).toHaveLength(TASKS);
    const last = whole.interval();
    expect(last).toMatchObject({ known: true, estimate: expect.closeTo(0, 9) });
    expect(last.known && last.high - last.low).toBeLessThan(0.03);
  });

  test("have to be alike: where every other one wins the middling tasks and drops easy ones, nothing is counted on", () => {
    const agents = (dropped: number) =>
      Array.from({ length: 24 }, (_, a) => {
        const chance = new RandomStream(a, "unlike");
        return Array.from({ length: TASKS }, (_, t) => {
          const isEasy = t < (TASKS * 2) / 3;
          // Twice as many easy tasks as middling ones.
          const solves = a % 2 === 0 ? (isEasy ? 0.98 : 0.4) : isEasy ? 0.98 - dropped : 0.4 + 2 * dropped;
          return chance.uniform(t) < solves ? 1 : 0;
        });
      });
    expect(likenessOf(agents(0))!.temper).toBeLessThan(1.2);
    expect(likenessOf(agents(0.25))?.temper ?? Number.POSITIVE_INFINITY).toBeGreaterThan(1.5);
  });

  test("are at least ten, and may have left tasks out", () => {
    const agents = simulated(4, 10);
    expect(likenessOf(agents.slice(0, 6))).toBeUndefined();
    const sparse = agents.map((row, a) => row.map((value, t) => ((t + a) % 7 === 0 ? null : value)));
    expect(likenessOf(sparse)!.temper).toBeLessThan(1.5);
  });
});
