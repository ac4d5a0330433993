import { expect, test } from "vitest";
import { Race } from "../../../src/analysis/decide/race.ts";
import { RandomStream } from "../../../src/core/random.ts";

const NAMES = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];

/** One round after the other, arm k solving tasks at its own rate, until it is decided or the tasks are used up. */
function run(
  rates: readonly number[],
  seed: number,
  terms: Partial<ConstructorParameters<typeof Race>[0]> = {},
) {
  const arms = NAMES.slice(0, rates.length);
  const race = new Race({
    arms,
    baseline: null,
    goal: "maximize",
    alpha: 0.05,
    size: Infinity,
    width: 1,
    ...terms,
  });
  const next = new RandomStream(seed, "race").sequence();
  let runs = 0;
  for (let round = 0; round < 300 && !race.isDecided; round++) {
    const running = race.running;
    runs += running.length;
    race.add(new Map(running.map((arm) => [arm, next() < rates[arms.indexOf(arm)]! ? 1 : 0])));
  }
  return { race, runs };
}

test("ten like arms, asked after every round: at most one race in twenty makes any claim", () => {
  let claims = 0;
  for (let seed = 0; seed < 60; seed++)
    if (run(new Array(10).fill(0.4), seed).race.duels.some(({ duel }) => duel.verdict !== null)) claims++;
  expect(claims / 60).toBeLessThanOrEqual(0.05 + 3 * Math.sqrt((0.05 * 0.95) / 60));
});

test("arms that are surely worse leave, and the best one gets the runs", () => {
  const { race, runs } = run([0.9, 0.2, 0.2, 0.2], 1);
  expect(race.isDecided).toBe(true);
  expect(runs).toBeLessThan(4 * race.rounds);
  const against = race.duels.filter(({ candidate, against: other }) => [candidate, other].includes("a"));
  expect(against.map(({ duel }) => duel.verdict)).toEqual(["less", "less", "less"]);
});

test("with a baseline an arm leaves when its own duel is decided", () => {
  const { race } = run([0.5, 0.95, 0.5], 3, { baseline: "a" });
  expect(race.duels.map(({ candidate, against }) => [candidate, against])).toEqual([
    ["b", "a"],
    ["c", "a"],
  ]);
  expect(race.duels[0]!.duel.verdict).toBe("greater");
  expect(race.running).not.toContain("b");
});

test("arms that differ by less than the margin are called equal; with a power, given up sooner", () => {
  const equal = run([0, 0], 1, { margin: 0.2 });
  expect(equal.race.duels[0]!.duel).toMatchObject({ verdict: "equal" });
  const futile = run([0, 0], 1, { margin: 0.2, power: 0.9 });
  expect(futile.race.duels[0]!.duel.verdict).toBe("futile");
  expect(futile.race.rounds).toBeLessThan(equal.race.rounds);
});

test("a round in which an arm has no value is left out of its pairs", () => {
  const race = new Race({ arms: ["a", "b"], baseline: "a", goal: null, alpha: 0.05, size: 100, width: 1 });
  race.add(
    new Map([
      ["a", 1],
      ["b", null],
    ]),
  );
  expect(race.duels[0]!.duel.differences).toEqual([]);
  expect(race.rounds).toBe(1);
});
