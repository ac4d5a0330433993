import { describe, expect, test } from "vitest";
import { powerStudy } from "../../../src/api/power-study.ts";
import { RandomStream } from "../../../src/core/random.ts";
import type { ArmSet } from "../../../src/design/arm-set.ts";
import { normalQuantile } from "../../../src/stats/index.ts";
import { anArmSet } from "../../support/an-arm-set.ts";
import { TempFolder } from "../../support/temp-folder.ts";
import { askArms, csvOf } from "../compare/simulated-studies.ts";

const PROMISED = 0.8;
/** By how much a plan may miss what it promises. */
const MISS = 0.05;
/** So many studies at most, and at least; between them as many as it takes to be sure. */
const [FEWEST, MOST] = [200, 3000];
/** The pilot is so large that only the plan itself can be wrong. */
const PILOT = 2000;

type Draw = () => number;

/** Values of the baseline and of the candidate on one unit: one each, or one for each rollout. */
type Unit = (uniform: Draw) => readonly [number | number[], number | number[]];

interface Design {
  isPaired: boolean;
  effect: { value: number; isRelative: boolean };
  unit: Unit;
  /** What tells the arms apart at the planned size. */
  method: RegExp;
}

const normal = (uniform: Draw) => normalQuantile(uniform());
const t3 = (uniform: Draw) =>
  normal(uniform) / Math.sqrt((normal(uniform) ** 2 - 2 * Math.log(1 - uniform())) / 3);
const difference = (value: number) => ({ value, isRelative: false });
const twice = { value: 1, isRelative: true };

/** Half of the variance is the unit's own. */
const correlated =
  (of: (z: number) => number, gain: (x: number) => number): Unit =>
  (uniform) => {
    const own = normal(uniform);
    const one = () => of(Math.SQRT1_2 * (own + normal(uniform)));
    return [one(), gain(one())];
  };
const apart =
  (of: Draw | ((uniform: Draw) => number), gain: (x: number) => number): Unit =>
  (uniform) => [of(uniform), gain(of(uniform))];
const passing =
  (first: number, second: number): Unit =>
  (uniform) => {
    const own = normal(uniform);
    const one = (rate: number) => Number(Math.SQRT1_2 * (own + normal(uniform)) < normalQuantile(rate));
    return [one(first), one(second)];
  };

const chance = (logit: number) => 1 / (1 + Math.exp(-logit));
/** Tasks differ by 1.5 on the logit scale; the candidate is better by .6 at each. */
const tried: Unit = (uniform) => {
  const level = 1.5 * normal(uniform);
  return [0, 0.6].map((gain) =>
    Array.from({ length: 4 }, () => Number(uniform() < chance(level + gain))),
  ) as [number[], number[]];
};

/** The mean over all tasks there are of what the candidate gains. */
function gainOfTasks(): number {
  let [sum, weight] = [0, 0];
  for (let z = -6; z <= 6; z += 0.001) {
    const density = Math.exp((-z * z) / 2);
    sum += density * (chance(1.5 * z + 0.6) - chance(1.5 * z));
    weight += density;
  }
  return sum / weight;
}

const DESIGNS: Record<string, Design> = {
  "few pairs of numbers": {
    ...{ isPaired: true, effect: difference(1.3), method: /^paired t/ },
    unit: correlated(
      (z) => z,
      (x) => x + 1.3,
    ),
  },
  "some pairs of numbers": {
    ...{ isPaired: true, effect: difference(0.8), method: /^sign-flip/ },
    unit: correlated(
      (z) => z,
      (x) => x + 0.8,
    ),
  },
  "many pairs of numbers": {
    ...{ isPaired: true, effect: difference(0.5), method: /^(paired|trimmed) t/ },
    unit: correlated(
      (z) => z,
      (x) => x + 0.5,
    ),
  },
  "independent numbers": {
    ...{ isPaired: false, effect: difference(0.8), method: /^permutation/ },
    unit: apart(normal, (x) => x + 0.8),
  },
  "pairs that multiply": {
    ...{ isPaired: true, effect: twice, method: /t, of the logarithms$/ },
    unit: correlated(Math.exp, (x) => 2 * x),
  },
  "independent numbers that multiply": {
    ...{ isPaired: false, effect: twice, method: /^permutation.* of the logarithms$/ },
    unit: apart(
      (uniform) => Math.exp(normal(uniform)),
      (x) => 2 * x,
    ),
  },
  "pairs with heavy tails": {
    ...{ isPaired: true, effect: difference(1), method: /^(trimmed|paired) t/ },
    unit: apart(t3, (x) => x + 1),
  },
  "independent numbers with heavy tails": {
    ...{ isPaired: false, effect: difference(1), method: /^permutation of (the trimmed|Welch's) t/ },
    unit: apart(t3, (x) => x + 1),
  },
  "pairs of passes and failures": {
    ...{ isPaired: true, effect: difference(0.2), method: /^paired likelihood-ratio/ },
    unit: passing(0.5, 0.7),
  },
  "few pairs of passes and failures": {
    ...{ isPaired: true, effect: difference(0.4), method: /^paired likelihood-ratio/ },
    unit: passing(0.4, 0.8),
  },
  "independent passes and failures": {
    ...{ isPaired: false, effect: difference(0.3), method: /^likelihood-ratio/ },
    unit: (uniform) => [Number(uniform() < 0.4), Number(uniform() < 0.7)],
  },
  "few independent passes and failures": {
    ...{ isPaired: false, effect: difference(0.6), method: /^likelihood-ratio/ },
    unit: (uniform) => [Number(uniform() < 0.2), Number(uniform() < 0.8)],
  },
  "tasks x rollouts": {
    ...{ isPaired: true, effect: difference(gainOfTasks()), method: /^paired t/ },
    unit: tried,
  },
};

function study(units: number, { isPaired, unit }: Design, uniform: Draw): ArmSet {
  const drawn = Array.from({ length: units }, () => unit(uniform));
  const arm = (name: string, k: 0 | 1) => ({
    name,
    observations: drawn.flatMap((values, task) =>
      [values[k]].flat().map((value, i) => ({ id: 10 * task + i, value, unit: String(task) })),
    ),
  });
  const layout = Array.isArray(drawn[0]![0])
    ? { keys: ["task"], hasRollouts: true }
    : isPaired
      ? {}
      : { keys: [] };
  return anArmSet([arm("old", 0), arm("new", 1)], layout);
}

describe("a study of the planned size finds the effect as often as planning promises", () => {
  test.each(Object.entries(DESIGNS))("%s", async (name, design) => {
    using folder = new TempFolder();
    const uniform = new RandomStream(18, `planning/${name}`).sequence();
    const pilot = study(PILOT, design, uniform);
    const path = folder.write("pilot.csv", csvOf(pilot));
    const { plans } = await powerStudy([path], {
      ...{ metric: pilot.metric, goal: "maximize", by: ["arm"], baseline: "old" },
      ...{ effect: design.effect, power: PROMISED },
    });
    const isMine = (plan: (typeof plans)[number]) =>
      plan.design.startsWith(design.isPaired ? "paired" : "not paired") &&
      (!pilot.hasRollouts || plan.rollouts === 4);
    const { units } = plans.find(isMine)!;
    let [found, fitting, studies] = [0, 0, 0];
    const miss = () => Math.abs(found / studies - PROMISED);
    const error = () => Math.sqrt((PROMISED * (1 - PROMISED)) / studies);
    while (studies < FEWEST || (studies < MOST && Math.abs(miss() - MISS) < 2.6 * error())) {
      const [comparison] = await askArms(study(units!, design, uniform));
      studies++;
      if (comparison!.verdict === "higher") found++;
      if (design.method.test(comparison!.method!.name)) fitting++;
    }
    expect(fitting / studies, "by the method that is meant").toBeGreaterThan(0.85);
    expect(miss(), `${units} units, ${studies} studies, ${found} found`).toBeLessThan(MISS);
  });
});
