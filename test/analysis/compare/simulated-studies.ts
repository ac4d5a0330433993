import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { compareArms } from "../../../src/analysis/compare/compare-arms.ts";
import type { Comparison } from "../../../src/analysis/compare/comparison.ts";
import type { compareStudies } from "../../../src/api/compare-studies.ts";
import { RandomStream } from "../../../src/core/random.ts";
import type { ArmSet, Observation } from "../../../src/design/arm-set.ts";
import { normalCdf, normalQuantile } from "../../../src/stats/index.ts";
import { anArmSet } from "../../support/an-arm-set.ts";
import { rivalPs } from "./rivals.ts";

/** One kind of study, with or without a true difference. */
export interface Scenario {
  /** The rows that a method must hold in together with this one. */
  family: string;
  data: string;
  layout: string;
  size: string;
  /** A study whose second arm is better by the scenario's effect, or by nothing. */
  draw(uniform: () => number, isDifferent: boolean): ArmSet;
  /** The same without a difference, but with three times the spread in the smaller arm; absent where arms are paired. */
  drawUneven?(uniform: () => number): ArmSet;
  /** What the difference and the relative one truly are where there is one. */
  truth: { difference: number; relative: number | null };
}

/** What became of many simulated studies. */
export interface Measured {
  falsePositives: number;
  coverage: number;
  power: number;
  /** Studies whose verdict is not what their interval says. */
  disagreements: number;
  /** How often the answer has a warning that its interval may be too short, and the coverage of the others. */
  warned: number;
  unwarnedCoverage: number;
  /** False claims where one arm spreads three times as much, and how often a warning says so; null where arms are paired. */
  uneven: { claims: number; warned: number } | null;
  /** Of other methods: false claims of like arms and of arms that spread unlike, and power. */
  rivals: Map<string, { same: number; uneven: number; power: number }>;
}

/** What compares a simulated study. */
export type Ask = (set: ArmSet) => Comparison[] | Promise<Comparison[]>;

export const QUICK = { withPower: false, withCheck: false, resamples: 999 };

/** By the analysis room alone: no file, no design. */
export const askArms: Ask = (set) => compareArms([set], QUICK).comparisons;

/** By the way that a user's table takes: written as CSV into a folder, and read by `compareStudies`. */
export function askTable(dir: string, compare: typeof compareStudies): Ask {
  return async (set) => {
    const path = join(dir, "study.csv");
    writeFileSync(path, csvOf(set));
    const { comparisons } = await compare([path], {
      ...{ by: ["arm"], metrics: [set.metric] },
      ...(set.goal ? { goal: set.goal } : { baseline: set.arms[0]!.name }),
      ...QUICK,
    });
    return comparisons;
  };
}

/** A simulated study as the table that a user would have. */
export function csvOf({ arms, keys, metric }: ArmSet): string {
  const rows = arms.flatMap(({ name, observations }) =>
    observations.map(({ unit, value }) => [name, ...(keys.length > 0 ? [unit] : []), value].join(",")),
  );
  return `${["arm", ...keys, metric].join(",")}\n${rows.join("\n")}\n`;
}

interface Simulating {
  ask?: Ask;
  withRivals?: boolean;
}

/** Compares so many studies of a scenario, with and without a true difference; and by other methods. */
export async function simulate(
  scenario: Scenario,
  studies: number,
  { ask = askArms, withRivals = false }: Simulating = {},
): Promise<Measured> {
  const uniform = drawsOf(scenario);
  const found = {
    same: 0,
    covered: 0,
    power: 0,
    disagreements: 0,
    warned: 0,
    unwarned: 0,
    uneven: 0,
    told: 0,
  };
  const rivals: Measured["rivals"] = new Map();
  const count = (what: "same" | "uneven" | "power", set: ArmSet) => {
    for (const [name, p] of rivalPs(set)) {
      const counts = rivals.get(name) ?? { same: 0, uneven: 0, power: 0 };
      counts[what] += Number(p <= 0.05) / studies;
      rivals.set(name, counts);
    }
  };
  for (let study = 0; study < studies; study++) {
    const [alike, apart] = [scenario.draw(uniform, false), scenario.draw(uniform, true)];
    const [[same], [other]] = [await ask(alike), await ask(apart)];
    const isCovered = covers(other!, scenario.truth);
    if (hasWarning(other!, "rough")) found.warned++;
    else if (isCovered) found.unwarned++;
    if (withRivals) {
      count("same", alike);
      count("power", apart);
      const uneven = scenario.drawUneven?.(uniform);
      if (uneven) {
        count("uneven", uneven);
        const [one] = await ask(uneven);
        if (isSure(one!)) found.uneven++;
        if (hasWarning(one!, "uneven") || hasWarning(one!, "rough")) found.told++;
      }
    }
    if (isSure(same!)) found.same++;
    if (isSure(other!)) found.power++;
    if (isCovered) found.covered++;
    for (const one of [same!, other!]) if (isSure(one) !== leavesZeroOut(one)) found.disagreements++;
  }
  return {
    falsePositives: found.same / studies,
    coverage: found.covered / studies,
    power: found.power / studies,
    disagreements: found.disagreements,
    warned: found.warned / studies,
    unwarnedCoverage: found.unwarned / (studies - found.warned),
    uneven:
      scenario.drawUneven && withRivals
        ? { claims: found.uneven / studies, warned: found.told / studies }
        : null,
    rivals,
  };
}

/** The numbers that a scenario's studies are drawn from: always the same. */
export function drawsOf({ data, layout, size }: Scenario): () => number {
  return new RandomStream(18, `verdicts/${data}/${layout}/${size}`).sequence();
}

/** How many standard errors above alpha false claims of a method that keeps its word may be, in its worst row of many. */
const ROOM = 3;

/**
 * The other methods that keep their word in every row of a family: the same kind of data (of rates: at every rate), paired or not,
 * at all sizes, with like arms and with arms that spread unlike. A method that holds in one row only is no rival: nobody knows
 * their row beforehand.
 */
export function calibrated(family: readonly Measured[], studies: number): Set<string> {
  const most = 0.05 + ROOM * Math.sqrt((0.05 * 0.95) / studies);
  const names = new Set(family.flatMap(({ rivals }) => [...rivals.keys()]));
  return new Set(
    [...names].filter((name) =>
      family.every(({ rivals }) => {
        const { same = 0, uneven = 0 } = rivals.get(name) ?? {};
        return same <= most && uneven <= most;
      }),
    ),
  );
}

/** How often any of the comparisons with the best of ten like arms is a false claim. */
export async function familyErrors(studies: number, ask: Ask = askArms): Promise<number> {
  const uniform = new RandomStream(18, "verdicts/ten arms").sequence();
  let wrong = 0;
  for (let study = 0; study < studies; study++) {
    const arms = Array.from({ length: 10 }, (_, i) => ({
      name: `arm ${i}`,
      observations: valued(Array.from({ length: 15 }, () => normal(uniform))),
    }));
    if ((await ask(anArmSet(arms, { goal: "maximize" }))).some(isSure)) wrong++;
  }
  return wrong / studies;
}

function hasWarning({ warnings }: Comparison, sought: string): boolean {
  return warnings.some(({ kind }) => kind === sought);
}

function isSure({ verdict }: Comparison): boolean {
  return !["unclear", "unknown", "equal"].includes(verdict);
}

/** Both intervals that people see must say the same of 0. */
function leavesZeroOut({ difference, relative }: Comparison): boolean {
  const leaves = [difference, relative].flatMap((one) => (one.known ? [one.low > 0 || one.high < 0] : []));
  if (new Set(leaves).size > 1) throw new Error("the relative interval contradicts the difference");
  return leaves[0] ?? false;
}

/** On the scale of ratios the ratio is what the interval is about. */
function covers({ scale, difference, relative }: Comparison, truth: Scenario["truth"]): boolean {
  const [one, true_] = scale === "ratio" ? [relative, truth.relative] : [difference, truth.difference];
  return !one.known || true_ === null || (one.low <= true_ && true_ <= one.high);
}

function normal(uniform: () => number): number {
  return normalQuantile(uniform());
}

function valued(values: readonly number[]): Observation[] {
  return values.map((value, i) => ({ id: i, value, unit: String(i) }));
}

const SIZES = [5, 10, 15, 30, 50] as const;

/** Kinds of numbers: how a standard normal number becomes one, and an effect in standard errors becomes a change. */
const KINDS = {
  normal: {
    of: (z: number) => z,
    change: (x: number, e: number) => x + e,
    multiplies: false,
    mean: 0,
    wide: (z: number) => 3 * z,
  },
  lognormal: {
    of: (z: number) => Math.exp(z),
    change: (x: number, e: number) => x * Math.exp(e),
    multiplies: true,
    mean: Math.exp(0.5),
    wide: (z: number) => Math.exp(3 * z),
  },
  t3: {
    of: t3,
    change: (x: number, e: number) => x + 1.5 * e,
    multiplies: false,
    mean: 0,
    wide: (z: number) => 3 * t3(z),
  },
  "zero-inflated": {
    of: (z: number) => (z < 0 ? 0 : Math.exp(normalQuantile(2 * normalShare(z) - 1))),
    change: (x: number, e: number) => x * Math.exp(1.5 * e),
    multiplies: true,
    mean: 0.5 * Math.exp(0.5),
    // Three times the value a third as often.
    wide: (z: number) => {
      const share = 6 * (normalShare(z) - 5 / 6);
      return share <= 0 ? 0 : 3 * Math.exp(normalQuantile(Math.min(1 - 1e-12, share)));
    },
  },
};

const LAYOUTS = [
  { layout: "paired, rho 0", rho: 0 },
  { layout: "paired, rho .8", rho: 0.8 },
  { layout: "independent", rho: null },
];

function pairing(rho: number | null): string {
  return rho === null ? "independent" : "paired";
}

/** Studies of numbers: `first` values in the baseline and `second` in the candidate. */
function ofNumbers(
  data: keyof typeof KINDS,
  { layout, rho }: (typeof LAYOUTS)[number],
  [first, second]: readonly [number, number],
): Scenario {
  const { of, change, multiplies, mean, wide } = KINDS[data];
  const effect = 2.6 * Math.sqrt((1 / first + 1 / second) * (1 - (rho ?? 0)));
  const size = first === second ? `n = ${first}` : `${first} v ${second}`;
  const share = rho === null ? 0 : rho;
  const drawBy = (uniform: () => number, ofFirst: typeof of, ofSecond: typeof of): ArmSet => {
    const both = Array.from({ length: Math.max(first, second) }, () => normal(uniform));
    const arm = (n: number, ofArm: typeof of) =>
      Array.from({ length: n }, (_, i) =>
        ofArm(Math.sqrt(share) * both[i]! + Math.sqrt(1 - share) * normal(uniform)),
      );
    return twoArms(
      valued(arm(first, ofFirst)),
      valued(arm(second, ofSecond)),
      rho === null ? { keys: [] } : {},
    );
  };
  return {
    ...{ family: `${data}, ${pairing(rho)}`, data, layout, size },
    draw: (uniform, isDifferent) => drawBy(uniform, of, isDifferent ? (z) => change(of(z), effect) : of),
    ...(rho === null && {
      drawUneven: (uniform) => (first < second ? drawBy(uniform, wide, of) : drawBy(uniform, of, wide)),
    }),
    truth: multiplies
      ? { difference: change(mean, effect) - mean, relative: change(1, effect) - 1 }
      : { difference: change(0, effect), relative: null },
  };
}

/** Studies of passes and failures of one rate; the candidate's is nearer to a half, or farther from it. */
function ofRates(
  rate: number,
  { layout, rho }: (typeof LAYOUTS)[number],
  sizes: readonly [number, number],
): Scenario {
  const [first, second] = sizes;
  const step = 2.6 * Math.sqrt((1 / first + 1 / second) * 0.25 * (1 - (rho ?? 0)));
  const better = rate < 0.5 ? Math.min(0.95, rate + step) : Math.max(0.05, rate - step);
  const share = rho ?? 0;
  return {
    ...{ family: `0/1, ${pairing(rho)}`, data: `0/1 at ${String(rate).replace(/^0/, "")}`, layout },
    size: first === second ? `n = ${first}` : `${first} v ${second}`,
    draw: (uniform, isDifferent) => {
      const both = Array.from({ length: Math.max(first, second) }, () => normal(uniform));
      const arm = (n: number, p: number) =>
        Array.from({ length: n }, (_, i) =>
          Number(Math.sqrt(share) * both[i]! + Math.sqrt(1 - share) * normal(uniform) < normalQuantile(p)),
        );
      const [ys, xs] = [arm(first, rate), arm(second, isDifferent ? better : rate)];
      return twoArms(valued(ys), valued(xs), rho === null ? { keys: [] } : {});
    },
    truth: { difference: better - rate, relative: null },
  };
}

/** Tasks that differ by 1.5 on the logit scale, with so many rollouts each; the candidate is better on all. */
function ofTasks(tasks: number, rollouts: number): Scenario {
  const effect = 1.2 * Math.sqrt(10 / tasks) * Math.sqrt(3 / rollouts) ** 0.5;
  const chanceOf = (logit: number) => 1 / (1 + Math.exp(-logit));
  return {
    ...{ family: "tasks x rollouts", data: "tasks x rollouts, 0/1", size: `${tasks} tasks` },
    layout: `${rollouts} rollout${rollouts === 1 ? "" : "s"}`,
    draw: (uniform, isDifferent) => {
      const levels = Array.from({ length: tasks }, () => 1.5 * normal(uniform));
      const arm = (shift: number): Observation[] =>
        levels.flatMap((level, task) =>
          Array.from({ length: rollouts }, (_, i) => ({
            ...{ id: task * rollouts + i, unit: `t${task}` },
            value: Number(uniform() < chanceOf(level + shift)),
          })),
        );
      return twoArms(arm(0), arm(isDifferent ? effect : 0), { keys: ["task"], hasRollouts: true });
    },
    truth: { difference: averageChance(effect, chanceOf) - averageChance(0, chanceOf), relative: null },
  };
}

/** Over tasks, by the midpoints of a thousand equally likely levels. */
function averageChance(shift: number, chanceOf: (logit: number) => number): number {
  let total = 0;
  for (let i = 0; i < 1000; i++) total += chanceOf(1.5 * normalQuantile((i + 0.5) / 1000) + shift);
  return total / 1000;
}

function twoArms(baseline: Observation[], candidate: Observation[], part: Partial<ArmSet>): ArmSet {
  const arms = [
    { name: "old", observations: baseline },
    { name: "new", observations: candidate },
  ];
  return anArmSet(arms, part);
}

/** Student's t with 3 degrees of freedom at a normal number's share, by its closed form inverted. */
function t3(z: number): number {
  const p = normalShare(z);
  const cdf = (t: number) => 0.5 + (Math.atan(t / Math.sqrt(3)) + (Math.sqrt(3) * t) / (3 + t * t)) / Math.PI;
  let [low, high] = [-1e4, 1e4];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (cdf(middle) < p) low = middle;
    else high = middle;
  }
  return low;
}

function normalShare(z: number): number {
  return Math.min(1 - 1e-12, Math.max(1e-12, normalCdf(z)));
}

/** What the table in docs/statistics.md is about. */
export const SCENARIOS: Scenario[] = [
  ...(Object.keys(KINDS) as (keyof typeof KINDS)[]).flatMap((data) => [
    ...LAYOUTS.flatMap((layout) => SIZES.map((n) => ofNumbers(data, layout, [n, n]))),
    ...(
      [
        [5, 45],
        [20, 5],
      ] as const
    ).map((sizes) => ofNumbers(data, LAYOUTS[2]!, sizes)),
  ]),
  ...[0.05, 0.5, 0.95].flatMap((rate) => [
    ...LAYOUTS.flatMap((layout) => SIZES.map((n) => ofRates(rate, layout, [n, n]))),
    ...(
      [
        [5, 45],
        [20, 5],
      ] as const
    ).map((sizes) => ofRates(rate, LAYOUTS[2]!, sizes)),
  ]),
  ...[1, 3, 5].flatMap((rollouts) => [10, 20, 30, 50].map((tasks) => ofTasks(tasks, rollouts))),
];
