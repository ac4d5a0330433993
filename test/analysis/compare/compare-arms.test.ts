import { describe, expect, test } from "vitest";
import { compareArms } from "../../../src/analysis/compare/compare-arms.ts";
import { RandomStream } from "../../../src/core/random.ts";
import type { Arm, ArmSet } from "../../../src/design/arm-set.ts";
import { normalQuantile, ratePower } from "../../../src/stats/index.ts";
import { anArm, anArmSet } from "../../support/an-arm-set.ts";

const slow = [100, 104, 98, 110, 102, 97, 105, 101, 99, 108];
const fast = [70, 72, 69, 75, 73, 66, 74, 70, 69, 74];
const seeds = (baseline: (number | null)[], candidate: (number | null)[], part = {}) =>
  anArmSet([anArm("old", baseline), anArm("new", candidate)], part);
/** The first comparison, with the first arm as the baseline unless told. */
const one = (sets: ArmSet[], options: Parameters<typeof compareArms>[1] = {}) =>
  compareArms(sets, { baseline: sets[0]!.arms[0]!.name, ...options }).comparisons[0]!;

describe("what a comparison says", () => {
  test("a better arm beats the baseline, in percent with an interval, seeds and pairing", () => {
    const found = one([seeds(slow, fast, { goal: "minimize" })]);
    expect(found.sentence).toBe("new beats old on score by 30.5 % [29.7, 31.3], 10 seeds, paired.");
    expect(found.verdict).toBe("better");
    expect(found.pairing.note).toBe("10 seeds in both arms, paired by seed; none left over.");
  });

  test("the same numbers are worse where more is better, and only higher or lower where nobody says", () => {
    expect(one([seeds(slow, fast, { goal: "maximize" })]).sentence).toMatch(
      /^new is worse than old on score by 30/,
    );
    expect(one([seeds(slow, fast)]).sentence).toMatch(/^score is 30.5 % \[.*\] lower with new than with old/);
  });

  test("an arm of several sets is settled and estimated in each by what that set's values are", () => {
    const passes = [1, 0, 1, 1, 0, 1, 1, null, 1, 1];
    const own = () => anArm("old", passes, "agent");
    const shared = own();
    const [rates, numbers] = [passes.map(() => 1), slow];
    const estimates = (old: () => Arm) => [
      one([anArmSet([old(), anArm("new", rates)])]).baseline,
      one([anArmSet([old(), anArm("new", numbers)])]).baseline,
      one([anArmSet([old(), anArm("new", rates)], { failure: "missing" })]).baseline,
    ];
    const found = estimates(() => shared);
    expect(found).toEqual(estimates(own));
    expect(found.map(({ counted, values }) => [counted, values.length])).toEqual([
      [1, 10],
      [0, 9],
      [0, 9],
    ]);
    expect(found[0]!.interval).not.toEqual(found[1]!.interval);
    expect(found[1]!.interval).not.toEqual(found[2]!.interval);
  });

  test("without the values behind it an answer is the same", () => {
    for (const unpaired of [false, true]) {
      const { values, ...whole } = one([seeds(slow, fast)], { unpaired });
      const { values: none, ...bare } = one([seeds(slow, fast)], { unpaired, withValues: false });
      expect(bare).toEqual(whole);
      expect([values.length, none.length]).toEqual([unpaired ? 20 : 10, 0]);
    }
  });

  test("arms that can't be told apart get a signed difference", () => {
    const found = one([seeds(slow, [...slow.slice(1), slow[0]!])]);
    expect(found).toMatchObject({ verdict: "unclear", adjustedP: 1 });
    expect(found.sentence).toMatch(
      /^new and old can't be told apart on score: 0 % \[−\d+, \+\d+\], 10 seeds/,
    );
  });

  test("a margin tells equal arms from arms of which too little is known", () => {
    const same = slow.map((x, i) => x + (i % 2 === 0 ? 0.2 : -0.2));
    expect(one([seeds(slow, same)], { margin: { value: 0.05, isShare: true } }).sentence).toMatch(
      /^new and old are equal on score within the margin of 5 %/,
    );
    expect(one([seeds(slow, same)], { margin: { value: 0.0001, isShare: false } }).verdict).toBe("unclear");
  });

  test("rates are compared in points", () => {
    const [a, b] = [Array(40).fill(0), Array(40).fill(0)];
    for (let i = 0; i < 30; i++) b[i] = 1;
    const found = one([seeds(a, b, { goal: "maximize" })]);
    expect(found.sentence).toMatch(/^new beats old on score by 75 points \[\d+, \d+\], 40 seeds, paired\.$/);
    expect(found.method?.name).toBe("paired likelihood-ratio test, mid-p");
  });
});

describe("passes and failures", () => {
  const outcomes = (first: number, second: number, n: number) => {
    const old = Array.from({ length: n }, (_, i) => Number(i >= first && i < first + second));
    return seeds(
      old,
      Array.from({ length: n }, (_, i) => Number(i < first)),
      { goal: "maximize" },
    );
  };

  test("six tasks gained and one lost of fifteen: neither the sentence nor the interval claims a difference", () => {
    const found = one([outcomes(6, 1, 15)]);
    expect(found.verdict).toBe("unclear");
    expect(found.difference.known && found.difference.low).toBeLessThan(0);
  });

  test("whatever the counts, the verdict is what the interval says", () => {
    for (const n of [5, 15])
      for (let first = 0; first <= n; first++)
        for (let second = 0; first + second <= n; second++) {
          const { verdict, difference } = one([outcomes(first, second, n)], { withPower: false });
          const { low, high } = difference.known ? difference : { low: Number.NaN, high: Number.NaN };
          expect(verdict).toBe(low > 0 ? "better" : high < 0 ? "worse" : "unclear");
        }
  });

  test("where no pair differs there is an interval all the same, and within a margin the arms are equal", () => {
    const alike = outcomes(0, 0, 60);
    expect(one([alike]).sentence).toMatch(
      /^new and old can't be told apart on score: 0\.0 points \[−4\.9, \+4\.9\], 60 seeds, paired\.$/,
    );
    expect(one([alike], { margin: { value: 0.1, isShare: false } }).verdict).toBe("equal");
    expect(one([alike], { margin: { value: 0.04, isShare: false } }).verdict).toBe("unclear");
  });

  test("tasks whose every try passed in both arms get the interval of so many tasks", () => {
    const arm = (name: string) => ({
      name,
      observations: Array.from({ length: 30 }, (_, i) => ({ id: i, value: 1, unit: `t${i % 10}` })),
    });
    const found = one([anArmSet([arm("old"), arm("new")], { keys: ["task"], hasRollouts: true })]);
    expect(found.verdict).toBe("unclear");
    expect(found.difference.known && found.difference.high).toBeGreaterThan(0.25);
    expect(found.difference.known && found.difference.high).toBeLessThan(0.4);
  });

  test("five tasks are told apart only if all differ the same way, and a warning says how little they show", () => {
    const few = (set: ArmSet) => one([set]).warnings.some(({ kind }) => kind === "few");
    expect(few(outcomes(4, 0, 5))).toBe(true);
    expect(few(outcomes(4, 0, 6))).toBe(false);
  });

  test("power is that of the test: planned runs find the difference as often as promised", () => {
    const { power } = one([outcomes(12, 4, 40)], { margin: { value: 0.2, isShare: false } });
    const found = ratePower(power!.neededN!, { effect: 0.2, differing: 0.4 });
    expect(found.known && found.value).toBeGreaterThanOrEqual(0.8);
    expect(found.known && found.value).toBeLessThan(0.85);
  });
});

describe("values that multiply are compared by ratios", () => {
  // Lognormal, spread over two orders of magnitude; the candidate's are three times as large.
  const old = [0.2, 0.4, 0.5, 0.8, 1, 1.3, 2, 2.5, 4, 12];
  const three = [0.7, 1.1, 1.6, 2.3, 3.1, 3.8, 6.3, 7.2, 12.5, 34];

  test("by how many times as much, with the interval of the same method", () => {
    const found = one([seeds(old, three, { goal: "minimize" })]);
    expect(found.scale).toBe("ratio");
    expect(found.sentence).toMatch(
      /^new is worse than old on score by 20\d % \[1\d\d, 2\d\d\], by geometric means, 10 seeds, paired\.$/,
    );
    expect(found.method?.name).toBe("sign-flip permutation, exact, of the logarithms");
  });

  test("the difference is that ratio of the baseline's mean", () => {
    const { difference, relative, baseline } = one([seeds(old, three)]);
    if (!difference.known || !relative.known) throw new Error("unknown");
    expect(difference.value / relative.value).toBeCloseTo(baseline.mean!, 9);
    expect(difference.low / relative.low).toBeCloseTo(baseline.mean!, 9);
  });

  test("which arm a value is from has no part in the choice", () => {
    const scaleOf = (first: number[], second: number[]) =>
      one([seeds(first, second)], { unpaired: true }).scale;
    const mixed = [...old, ...three].sort((a, b) => ((a * 7919) % 1) - ((b * 7919) % 1));
    expect(scaleOf(mixed.slice(0, 10), mixed.slice(10))).toBe(scaleOf(old, three));
    expect(scaleOf(mixed.slice(0, 3), mixed.slice(3))).toBe(scaleOf(old, three));
  });

  test("not of values that are near normal, bounded, or not above 0, and not where differences are asked for", () => {
    expect(one([seeds(slow, fast)]).scale).toBe("difference");
    expect(one([seeds(old, three, { range: [0, 100] })]).scale).toBe("difference");
    expect(one([seeds([0, ...old.slice(1)], three)]).scale).toBe("difference");
    expect(one([seeds(old, three)], { scale: "difference" }).scale).toBe("difference");
    expect(one([seeds(old, three, { scale: "difference" })]).scale).toBe("difference");
  });

  test("asked for where a value is 0 it is the user's mistake", () => {
    expect(() => one([seeds([0, ...old.slice(1)], three)], { scale: "ratio" })).toThrow(
      /--scale ratio on score.*expected values above 0, got 0/s,
    );
  });

  test("where plain means say the opposite, that is told", () => {
    const fewLarge = [...old.slice(0, 9).map((x) => x * 0.5), 40];
    const found = one([seeds(old, fewLarge)]);
    expect(found.warnings.map(({ text }) => text).join(" ")).toContain(
      "By plain means the arms are the other way round",
    );
  });

  test("the runs needed are those of the test of logarithms", () => {
    const { power } = one([seeds(old, three.toReversed())], { margin: { value: 1, isShare: true } });
    expect(power!.target).toBeCloseTo(2.47, 9);
    expect(power!.neededN).toBeGreaterThan(10);
  });
});

describe("independent groups", () => {
  test("of very unequal sizes are told apart where permutation and t agree, and verdict and interval do", () => {
    const many = Array.from({ length: 45 }, (_, i) => Math.abs(Math.sin(i)) - (i % 9 === 0 ? 8 : 0));
    for (const shift of [-4, -2, 0, 1, 2, 4]) {
      const found = one(
        [
          seeds(
            many,
            [0.1, 0.7, -0.2, 0.9, 0.4].map((x) => x + shift),
          ),
        ],
        { unpaired: true },
      );
      expect(found.method?.name).toBe("permutation of Welch's t, sampled, and Welch t");
      const { low, high } = found.difference.known ? found.difference : { low: 0, high: 0 };
      expect(found.p! <= 0.05).toBe(low > 0 || high < 0);
      if (found.relative.known)
        expect(found.relative.low > 0 || found.relative.high < 0).toBe(low > 0 || high < 0);
    }
  });

  test("a small group that spreads much more than a large one is warned of, but not where ratios are compared", () => {
    const kinds = (small: number[], large: number[], part = {}) =>
      one([seeds(large, small, part)], { unpaired: true }).warnings.map(({ kind }) => kind);
    const large = Array.from({ length: 30 }, (_, i) => 10 + (i % 5));
    expect(kinds([2, 25, 9, 14, 31, 1], large)).toContain("uneven");
    expect(kinds([10, 13, 9, 14, 12, 11], large)).not.toContain("uneven");
    expect(kinds(large.slice(0, 28), [2, 25, 9, 14, 31, 1, ...large.slice(6)])).not.toContain("uneven");
    expect(kinds([2, 25, 9, 14, 31, 1], large, { scale: "ratio" })).not.toContain("uneven");
  });

  test("few values that vary within an arm may have a tail, but not because the arms lie far apart", () => {
    const near = Array.from({ length: 8 }, (_, i) => 100 + ((i * 7) % 10));
    const kinds = (arm: number[]) =>
      one([seeds(near, arm, { scale: "difference" })]).warnings.map(({ kind }) => kind);
    expect(kinds(near.map((x, i) => 3.2 * x + (i % 3)))).not.toContain("rough");
    expect(kinds(near.map((x, i) => x * [0.2, 1, 3][i % 3]!))).toContain("rough");
  });

  test("heavy tails on both sides are spoken of where there are too few values to trim by themselves", () => {
    const told = (change: (i: number) => number, options = {}) => {
      const base = Array.from({ length: 14 }, (_, i) => 10 + ((i * 5) % 14) / 10);
      const arms = seeds(
        base,
        base.map((x, i) => x + change(i)),
        { scale: "difference" },
      );
      return one([arms], options).warnings.filter(({ kind }) => kind === "tails");
    };
    const heavy = (i: number) => (i === 3 ? 9 : i === 8 ? -8 : ((i * 3) % 14) / 20);
    expect(told(heavy)).toMatchObject([{ level: "info", text: expect.stringContaining("--method trimmed") }]);
    expect(told(heavy, { method: "t" })).toEqual([]);
    expect(told((i) => ((i * 3) % 14) / 20)).toEqual([]);
    expect(told((i) => (i === 3 ? 9 : ((i * 3) % 14) / 20))).toEqual([]);
  });

  test("three and three are too few to permute", () => {
    const found = one([seeds([1, 2, 3], [5, 6, 7])], { unpaired: true });
    expect(found.method).toMatchObject({
      name: "Welch t",
      why: expect.stringContaining("too small to permute"),
    });
  });
});

test("a test that contradicts the interval or the test beside it is told, and which one decides", () => {
  const xs = [1, 1, 1, 1, 1, 1, 1, 30];
  const found = one(
    [
      seeds(
        xs.map((_, i) => i / 100),
        xs,
      ),
    ],
    { scale: "difference" },
  );
  expect(found.verdict).toBe("unclear");
  expect(found.warnings.map(({ text }) => text).join(" ")).toMatch(
    /The second test disagrees \(sign-flip permutation, exact: p \.0078\)\. The paired t decides/,
  );
});

describe("ten to nineteen pairs are compared by flipped signs", () => {
  const draw = new RandomStream(3, "flips").sequence();
  const drawn = (n: number) => Array.from({ length: n }, () => 10 + normalQuantile(draw()));
  const methodOf = (old: number[], other: number[], options = {}) =>
    one([seeds(old, other)], options).method?.name;

  test("which hold for all shapes that are alike on both sides", () => {
    expect(methodOf(drawn(10), drawn(10))).toBe("sign-flip permutation, exact");
    expect(methodOf(drawn(19), drawn(19))).toContain("sign-flip permutation");
  });

  test("and others by t: fewer can't give a fine p, more can show their tails, and equal differences make flips timid", () => {
    expect(methodOf(drawn(9), drawn(9))).toBe("paired t");
    expect(methodOf(drawn(10), drawn(10), { alpha: 0.01 })).toBe("paired t");
    expect(methodOf(drawn(20), drawn(20))).toBe("paired t");
    const old = drawn(12);
    const tied = old.map((x, i) => x + (i % 2 === 0 ? 0.1 : -0.1));
    expect(methodOf(old, tied)).toBe("paired t");
    expect(methodOf(old, [old[0]!, ...drawn(11)])).toBe("paired t");
  });
});

describe("a regression needs a difference that is sure and one that matters", () => {
  test.each([
    ["sure and beyond the margin", slow, 0.05, true],
    ["sure but within the margin", slow, 0.6, false],
    ["beyond the margin but not sure", [60, 200, 71, 69, 74, 66, 75, 70, 69, 70], 0.05, false],
  ])("%s", (_, candidate, margin, isRegression) => {
    const found = one([seeds(fast, candidate as number[], { goal: "minimize" })], {
      margin: { value: margin as number, isShare: true },
    });
    expect(found.isRegression).toBe(isRegression);
  });

  test("an improvement is none", () => {
    expect(one([seeds(slow, fast, { goal: "minimize" })]).isRegression).toBe(false);
  });
});

describe("too little, and nothing, gives an explanation and no number", () => {
  test.each([
    ["one pair", [1], [2], /one pair only/],
    ["an empty arm", [1, 2, 3], [], /new has no runs/],
    ["an arm without a value", [1, 2, 3], [null, null], /none of the 2 runs of new has a value/],
    ["NaN alone", [1, 2, 3], [Number.NaN, Number.NaN], /none of the 2 runs of new has a value/],
  ])("%s", (_, baseline, candidate, why) => {
    const found = one([seeds(baseline, candidate)]);
    expect(found.difference).toEqual({ known: false, why: expect.stringMatching(why) });
    expect(found).toMatchObject({ p: null, adjustedP: null, verdict: "unknown", power: null });
    expect(found.sentence).toMatch(/unknown, because/);
  });

  test("a difference that is the same in every pair is said as it is", () => {
    const many = Array.from({ length: 2500 }, (_, i) => i / 10);
    const more = many.map((value) => value + 0.1);
    const found = one([seeds(many, more, { goal: "maximize" })]);
    expect(found.sentence).toBe("new beats old on score by exactly 0.1 in every one of 2,500 pairs.");
    expect(found).toMatchObject({ isExact: true, verdict: "better", difference: { known: true } });
    expect(one([seeds(many, more)]).sentence).toBe(
      "score is higher by exactly 0.1 with new than with old in every one of 2,500 pairs.",
    );
    expect(one([seeds([1, 2, 3], [2, 3, 4])]).sentence).toBe(
      "score is higher by exactly 1 with new than with old in every one of 3 pairs, but 3 pairs can't rule out chance (p .250).",
    );
  });

  test("an exact reproduction is identical in all pairs", () => {
    const found = one([seeds([5, 6, 7], [5, 6, 7])]);
    expect(found).toMatchObject({ verdict: "equal", p: 1, difference: { value: 0, low: 0, high: 0 } });
    expect(found.sentence).toBe("new and old are identical on score in all 3 pairs.");
  });

  test("passes that are alike in every pair have an interval: the next pair may differ", () => {
    const passes = Array(20).fill(1);
    const found = one([seeds(passes, passes)]);
    expect(found).toMatchObject({ verdict: "unclear", p: 1, difference: { known: true, value: 0 } });
    expect(found.difference.known && found.difference.high).toBeGreaterThan(0.05);
  });

  test("a program whose seeds all give one value is asked whether it reads its seed", () => {
    const found = one([seeds([3, 3, 3, 3], [1, 2, 3, 4])]);
    expect(found.warnings.map(({ text }) => text)).toContain(
      "All 4 seeds of old give the same value: does the program read its seed?",
    );
    expect(found.warnings.map(({ text }) => text).join(" ")).not.toContain("of new");
  });

  test("without a baseline the best arm is compared with each other one, as strictly as all pairs", () => {
    const middle = slow.map((value, i) => (value + fast[i]!) / 2);
    const arms = [anArm("slow", slow), anArm("fast", fast), anArm("middle", middle)];
    const { comparisons, family, baseline } = compareArms([anArmSet(arms, { goal: "minimize" })]);
    expect(baseline).toBeNull();
    expect(family).toBe(3);
    expect(comparisons.map(({ candidate, baseline: base }) => [candidate.name, base.name])).toEqual([
      ["fast", "middle"],
      ["fast", "slow"],
    ]);
    expect(comparisons.every(({ verdict }) => verdict === "better")).toBe(true);
  });

  test("one arm alone is the user's mistake", () => {
    expect(() => compareArms([anArmSet([anArm("only", [1, 2])])])).toThrow(/only one arm/);
  });

  test("a baseline may be named in part, if that fits one arm", () => {
    const set = anArmSet([anArm("Raw Agent", slow), anArm("Masking", fast)]);
    expect(one([set], { baseline: "mask" }).baseline.name).toBe("Masking");
    expect(() => compareArms([set], { baseline: "a" })).toThrow(/a part of 2/);
  });
});

describe("pairing", () => {
  test("without a partner for any seed, arms are independent groups, and it says so", () => {
    const candidate = anArm("new", fast);
    for (const [i, observation] of candidate.observations.entries()) observation.unit = `x${i}`;
    const found = one([anArmSet([anArm("old", slow), candidate])]);
    expect(found.pairing).toMatchObject({
      isPaired: false,
      note: expect.stringContaining("no seed in common"),
    });
    expect(found.sentence).toMatch(/10 against 10 runs, not paired\.$/);
  });

  test("a pairing that was asked for and is none is refused with a remedy", () => {
    const twice = anArm("new", fast);
    twice.observations[1]!.unit = "1";
    const set = anArmSet([anArm("old", slow), twice], { isAsked: true, unnamed: ["workflows"] });
    expect(() => compareArms([set])).toThrow(/new has 2 observations with seed 1.*--pair seed,workflows/);
    expect(one([set], { unpaired: true }).pairing.isPaired).toBe(false);
  });

  test("rollouts of a task are averaged before tasks are compared", () => {
    const arm = (name: string, values: number[]) => ({
      name,
      observations: values.map((value, i) => ({ id: i, value, unit: `t${i % 10}` })),
    });
    const set = anArmSet([arm("old", [...slow, ...slow]), arm("new", [...fast, ...fast])], {
      keys: ["task"],
      hasRollouts: true,
    });
    const found = one([set]);
    expect(found.pairing).toMatchObject({ isPaired: true, n: 10, noun: "task" });
    expect(found.method?.why).toContain("averaged first");
    expect(found.p).toBeCloseTo(one([seeds(slow, fast)]).p!, 10);
    const drawn = one([set], { method: "hierarchical" });
    expect(drawn.method?.name).toContain("hierarchical bootstrap");
  });

  test("what the agent broke has the worst value that the metric can have; what the machine broke has bounds", () => {
    const old = anArm(
      "old",
      slow.map(() => 0.5),
    );
    const arm = (owner: "agent" | "infrastructure") =>
      anArm("new", [null, ...slow.slice(1).map(() => 0.75)], owner);
    const compare = (owner: "agent" | "infrastructure") =>
      one([anArmSet([old, arm(owner)], { range: [0, 1], failure: "worst", goal: "maximize" })]);
    const agent = compare("agent");
    expect(agent.candidate).toMatchObject({ missing: {}, mean: expect.closeTo(0.675, 10) });
    expect(agent.bounds).toBeNull();
    const machine = compare("infrastructure");
    expect(machine.candidate).toMatchObject({ missing: { infrastructure: 1 }, mean: 0.75 });
    const without = one([anArmSet([old, arm("agent")])]);
    expect(without.candidate.missing).toEqual({ agent: 1 });
  });

  test("pairs that share a seed count as that seed", () => {
    const arm = (name: string, values: number[]) => ({
      name,
      observations: values.map((value, i) => ({
        id: i,
        value,
        unit: `seed ${i % 10}, size ${i < 10 ? 1 : 2}`,
        cluster: String(i % 10),
      })),
    });
    const set = anArmSet([arm("old", [...slow, ...slow]), arm("new", [...fast, ...fast])], {
      keys: ["seed", "size"],
      clusterBy: "seed",
    });
    const found = one([set]);
    expect(found.sentence).toMatch(/20 pairs of 10 seeds, paired\.$/);
    expect(found.p).toBeCloseTo(one([seeds(slow, fast)]).p!, 10);
    expect(found.power).toMatchObject({ n: 10, noun: "seed" });
  });
});

describe("missing values", () => {
  test("a broken machine's runs are missing, with bounds of what they could do", () => {
    const arms = [anArm("old", slow), anArm("new", [...fast.slice(0, 8), null, null], "infrastructure")];
    const found = one([anArmSet(arms)]);
    expect(found.pairing.n).toBe(8);
    expect(found.candidate.missing).toEqual({ infrastructure: 2 });
    expect(found.bounds).toMatchObject({ turns: false });
    expect(found.bounds!.low).toBeLessThan(-29);
    expect(found.bounds!.high).toBeGreaterThan(-29);
    expect(found.warnings.map(({ text }) => text).join(" ")).toMatch(
      /Missing in new: 2 by infrastructure failures.*direction stays/,
    );
  });

  test("bounds of rates are those of all failed and all passed, and may turn the result", () => {
    const passed = [1, 1, 1, 0, 0, 0, 0, 0, 0, 0];
    const arms = [
      anArm("old", passed),
      anArm("new", [1, 1, 1, 1, 0, 0, null, null, null, null], "infrastructure"),
    ];
    const found = one([anArmSet(arms)]);
    expect(found.bounds).toMatchObject({ turns: false });
    expect(found.bounds!.low).toBeCloseTo(0.1, 12);
    expect(found.bounds!.high).toBeCloseTo(0.5, 12);
  });

  test("a run that the agent broke is a failed task, not a missing one", () => {
    const arms = [
      anArm("old", Array(20).fill(1)),
      anArm("new", [...Array(10).fill(1), ...Array(10).fill(null)], "agent"),
    ];
    const found = one([anArmSet(arms, { goal: "maximize" })]);
    expect(found.candidate).toMatchObject({ mean: 0.5, missing: {} });
    expect(found.warnings.map(({ text }) => text).join(" ")).toContain(
      "10 runs of new failed by the agent's own fault",
    );
  });

  test("a time that the agent's failure left out is missing, not 0", () => {
    const arms = [anArm("old", slow), anArm("new", [...fast.slice(0, 9), null], "agent")];
    expect(one([anArmSet(arms)]).candidate.missing).toEqual({ agent: 1 });
  });
});

describe("doubts", () => {
  test("five pairs: the permutation's floor is told", () => {
    const found = one([seeds(slow.slice(0, 5), fast.slice(0, 5))]);
    expect(found.floor).toBe(0.0625);
    expect(found.warnings.map(({ text }) => text).join(" ")).toMatch(/can't give a p below 0.0625/);
    expect(found.check).toEqual({ method: "sign-flip permutation, exact", p: 0.0625 });
  });

  test("outliers are flagged and kept", () => {
    const odd = [...fast.slice(0, 9), 900];
    const found = one([seeds(slow, odd)], { scale: "difference" });
    expect(found.outliers).toEqual([{ label: "seed 10", value: 792 }]);
    expect(found.pairing.n).toBe(10);
    expect(found.warnings.map(({ text }) => text).join(" ")).toMatch(/seed 10 \(792\)\. Nothing was dropped/);
  });

  test("several arms and metrics are one family under Holm", () => {
    const arms = [anArm("old", slow), anArm("new", fast), anArm("same", [...slow.slice(1), slow[0]!])];
    const { comparisons, family, warnings } = compareArms([
      anArmSet(arms),
      anArmSet(arms, { metric: "cost" }),
    ]);
    expect(family).toBe(4);
    expect(comparisons.map(({ adjustedP, p }) => adjustedP! / p!)[0]).toBeCloseTo(4, 8);
    expect(warnings[0]!.text).toMatch(/4 comparisons: p is adjusted by Holm's method/);
  });

  test("power: what was findable, and the n for the effect seen or for the margin", () => {
    const noisy = slow.map((x, i) => x + [9, -7, 4, -5, 8, -2, -6, 7, 1, 3][i]!);
    const seen = one([seeds(slow, noisy)]).power!;
    expect(seen).toMatchObject({ targetIs: "seen", n: 10, noun: "seed" });
    expect(seen.neededN).toBeGreaterThan(100);
    const margin = one([seeds(slow, noisy)], { margin: { value: 10, isShare: false } }).power!;
    expect(margin).toMatchObject({ targetIs: "margin", target: 10 });
    expect(margin.neededN).toBeLessThan(10);
  });
});

describe("methods that are asked for", () => {
  test.each(["t", "bootstrap-t", "bca", "percentile", "permutation", "wilcoxon"] as const)("%s", (method) => {
    const found = one([seeds(slow, fast)], { method, resamples: 2000 });
    expect(found.difference).toMatchObject({ known: true, value: -31.2 });
    expect(found.p).toBeLessThan(0.01);
    expect(found.method?.why).toBe("it was asked for");
    if (method === "permutation") expect(found.method?.name).toBe("sign-flip permutation, exact");
  });

  test("a misfit is the user's mistake, with a remedy", () => {
    expect(() => one([seeds(slow, fast)], { method: "mcnemar" })).toThrow(/got other numbers/);
    expect(() => one([seeds(slow, fast)], { method: "mannwhitney" })).toThrow(/wilcoxon, or add --unpaired/);
    expect(() => one([seeds(slow, fast)], { method: "wilcoxon", unpaired: true })).toThrow(/--pair/);
  });

  test("one side leaves the other end open", () => {
    const found = one([seeds(slow, fast)], { side: "less" });
    expect(found.difference).toMatchObject({ low: Number.NEGATIVE_INFINITY });
    const wrong = one([seeds(slow, fast)], { side: "greater" });
    expect(wrong.p).toBeGreaterThan(0.99);
    expect(wrong.sentence).toMatch(/^score is not shown to be higher with new than with old: −30/);
  });
});

test("rows without a unit stand for themselves, also where two files number them alike", () => {
  const rows = (name: string, values: number[]) => ({
    name,
    observations: values.map((value, i) => ({ id: i % 3, value, unit: null })),
  });
  const set = anArmSet([rows("old", [1, 2, 3, 4, 5, 6]), rows("new", [2, 3, 4, 5, 6, 7])], { keys: [] });
  expect(one([set]).baseline).toMatchObject({ values: [1, 2, 3, 4, 5, 6], mean: 3.5 });
});
