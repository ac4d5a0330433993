import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Study, Variant } from "../../src/core/study.ts";
import { containsRun } from "../../src/plan/cells.ts";
import { countSaved } from "../../src/plan/count-points.ts";
import { Plan } from "../../src/plan/plan.ts";
import { aStudy, axis } from "../support/a-study.ts";

const runsOf = (study: Study, program = "noop@1") => [...new Plan(study, program).runs()];
const idsOf = (study: Study, program = "noop@1") => runsOf(study, program).map(({ id }) => id);
const variant = (name: string, params = {}, flags: string[] = []) => ({ name, params, flags });

/** Any study over axes a to d: conditional ones, zipped ones, a `where`, variants, seeds and repeats. */
const anyStudy: fc.Arbitrary<Study> = fc
  .record({
    values: fc.array(fc.uniqueArray(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 3 }), {
      maxLength: 3,
    }),
    conditions: fc.array(
      fc.option(
        fc.constantFrom("a > 1", "a == 0 || fixed", "fixed > 1 || not fixed", "has(a) and not (a in [1, 2])"),
      ),
      {
        minLength: 3,
        maxLength: 3,
      },
    ),
    zipped: fc.uniqueArray(fc.integer({ min: 0, max: 5 }), { maxLength: 2 }),
    where: fc.option(fc.constantFrom("variant != 'off'", "fixed > 1 || seed == 1", "repeat == 0", "a != 1")),
    variants: fc.constantFrom<Variant[]>(
      [variant("baseline")],
      [variant("baseline"), variant("off", { extra: 1 }, ["--off"])],
      [variant("off", { fixed: 0 }), variant("baseline"), variant("more", { fixed: 2, extra: 1 })],
    ),
    seeds: fc.uniqueArray(fc.integer(), { minLength: 1, maxLength: 3 }),
    measured: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ values, conditions, zipped, where, variants, seeds, measured }) => {
    const axes = values.map((items, i) => {
      const plain = axis("abc"[i]!, ...items);
      return i > 0 && conditions[i] ? { ...plain, when: conditions[i] } : plain;
    });
    if (zipped.length > 0) axes.push({ names: ["d", "e"], rows: zipped.map((item) => [item, -item]) });
    const params = { fixed: 1, a: -1 };
    const study = aStudy({ params, axes, variants, seeds, repeats: { warmup: 0, measured } });
    return where === null ? study : { ...study, where };
  });

describe("a plan", () => {
  test("lets all cells take turns: a seed and a repeat for each of them before the next", () => {
    const study = aStudy({
      axes: [axis("a", 1, 2), axis("b", "x", "y")],
      seeds: [7, 8],
      variants: [variant("on"), variant("off")],
      repeats: { warmup: 0, measured: 2 },
    });
    const order = runsOf(study).map(({ params, seed, variant: name, repeat }) =>
      [seed, repeat, params.a, params.b, name].join(" "),
    );
    const cells = [1, 2].flatMap((a) =>
      ["x", "y"].flatMap((b) => ["on", "off"].map((v) => `${a} ${b} ${v}`)),
    );
    const rounds = [7, 8].flatMap((seed) => [0, 1].map((repeat) => `${seed} ${repeat}`));
    expect(order).toEqual(rounds.flatMap((round) => cells.map((cell) => `${round} ${cell}`)));
  });

  test("lets no more than 64 cells wait for each other, and none where a service belongs to a cell", () => {
    const study = aStudy({ axes: [axis("a", ...Array.from({ length: 70 }, (_, i) => i))], seeds: [7, 8] });
    const seedsOf = (one: Study) => runsOf(one).map(({ seed }) => seed);
    const group = (n: number) => [7, 8].flatMap((seed) => Array<number>(n).fill(seed));
    expect(seedsOf(study)).toEqual([...group(64), ...group(6)]);
    const services = [{ name: "db", per: "cell" }] as unknown as NonNullable<Study["services"]>;
    expect(seedsOf({ ...study, services })).toEqual(Array.from({ length: 70 }, () => [7, 8]).flat());
  });

  test("counts exactly the runs that it yields, each with an id of its own, whatever the study", () => {
    fc.assert(
      fc.property(anyStudy, (study) => {
        const plan = new Plan(study, "noop@1");
        const ids = [...plan.runs()].map(({ id }) => id);
        expect(plan.count()).toBe(ids.length);
        expect(new Set(ids).size).toBe(ids.length);
        let weighed = 0;
        for (const { weight } of plan.weighedCells()) weighed += weight;
        expect(weighed).toBe(ids.length);
      }),
    );
  });

  test("knows each of its runs again when it reads them, whatever the study", () => {
    fc.assert(
      fc.property(anyStudy, (study) => {
        const runs = runsOf(study);
        expect(runs.filter(containsRun(study))).toEqual(runs);
      }),
    );
  });

  test("gives every id 12 hex digits at its end, and nothing that a folder can't be named", () => {
    fc.assert(
      fc.property(anyStudy, fc.string({ unit: "grapheme" }), (study, word) => {
        const hostile = {
          ...study,
          axes: [...study.axes, axis("word", word)],
          label: `../${word}/\${word}__\${a}`,
        };
        for (const id of idsOf(hostile)) {
          expect(id).toMatch(/^[A-Za-z0-9._+-]*__[0-9a-f]{12}$|^[0-9a-f]{12}$/);
          expect(id.length).toBeLessThanOrEqual(110);
        }
      }),
    );
  });

  test("gives its first run at once, however many there are", () => {
    const thousand = Array.from({ length: 1000 }, (_, i) => i);
    const axes = ["a", "b", "c"].map((name) => axis(name, ...thousand));
    const plan = new Plan(aStudy({ axes }), "noop@1");
    expect(plan.count()).toBe(1e9);
    expect(plan.runs().next().value).toMatchObject({ params: { a: 0, b: 0, c: 0 } });
  });

  test("keeps only the runs for which where: holds, also by variant, seed and repeat", () => {
    const study = aStudy({
      axes: [axis("policy", "fifo", "full")],
      variants: [variant("baseline"), variant("no_hedge")],
      seeds: [1, 2],
    });
    const kept = (where: string) => runsOf({ ...study, where }).length;
    expect(kept("policy == 'full' || variant == 'baseline'")).toBe(6);
    expect(kept("seed == 2")).toBe(4);
    expect(kept("repeat == 1")).toBe(0);
    expect(() => kept("polcy == 'full'")).toThrow('Did you mean "policy"?');
  });

  test("moves zipped parameters together", () => {
    const study = aStudy({
      axes: [
        {
          names: ["n", "m"],
          rows: [
            [1, 10],
            [2, 20],
          ],
        },
        axis("k", 0, 1),
      ],
    });
    expect(runsOf(study).map(({ params }) => [params.n, params.m, params.k])).toEqual([
      [1, 10, 0],
      [1, 10, 1],
      [2, 20, 0],
      [2, 20, 1],
    ]);
  });

  test("refuses what would be one run twice, whoever listed it", () => {
    expect(() => runsOf(aStudy({ axes: [axis("a", [1], [1])] }))).toThrow("a: [1] is listed twice");
    expect(() => runsOf(aStudy({ seeds: [3, 1, 3] }))).toThrow("the seed 3 is listed twice");
    expect(() => runsOf(aStudy({ tasks: ["x", "x"] }))).toThrow("the task x is listed twice");
    expect(() => runsOf(aStudy({ variants: [variant("v"), variant("v")] }))).toThrow("the variant v is");
  });

  test("refuses a name on two axes, a variant that sets an axis, and names that every run has already", () => {
    const twice = { axes: [axis("a", 1), { names: ["a", "b"], rows: [[1, 2]] }] };
    expect(() => runsOf(aStudy(twice))).toThrow('"a" is on two axes');
    const clash = { axes: [axis("a", 1)], variants: [variant("off", { a: 2 })] };
    expect(() => runsOf(aStudy(clash))).toThrow('the variant "off" sets "a"');
    expect(() => runsOf(aStudy({ axes: [axis("seed", 1, 2)] }))).toThrow("seeds:");
    expect(() => runsOf(aStudy({ params: { repeat: 3 } }))).toThrow("repeats:");
    expect(() => runsOf(aStudy({ variants: [variant("off", { variant: 1 })] }))).toThrow('"variant"');
  });
});

describe("a conditional axis", () => {
  const study = aStudy({
    params: { other: 1 },
    axes: [{ ...axis("beta", 0.1, 0.2, 0.3), when: "algo == 'ppo'" }, axis("algo", "ppo", "dqn")],
  });

  test("makes no new run where it is inactive, and its parameter is absent there", () => {
    const runs = runsOf(study);
    expect(runs.map(({ params }) => [params.algo, params.beta])).toEqual([
      ["ppo", 0.1],
      ["ppo", 0.2],
      ["ppo", 0.3],
      ["dqn", undefined],
    ]);
    expect("beta" in runs[3]!.params).toBe(false);
  });

  test("leaves runs where it is inactive as they are when it gets a new value", () => {
    const [conditional, algo] = study.axes as [Study["axes"][number], Study["axes"][number]];
    const wider = { ...study, axes: [{ ...conditional, rows: [...conditional.rows, [0.4]] }, algo] };
    expect(idsOf(wider).at(-1)).toBe(idsOf(study).at(-1));
    expect(idsOf(wider)).toEqual(expect.arrayContaining(idsOf(study)));
  });

  test("is inactive for the variants that switch it off, and for no others", () => {
    const hedging = aStudy({
      params: { hedging: true },
      axes: [{ ...axis("h", 5, 10), when: "hedging" }, axis("z", 1, 2)],
      variants: [variant("baseline"), variant("no_hedge", { hedging: false })],
    });
    expect(runsOf(hedging).map(({ params, variant: name }) => [name, params.h, params.z])).toEqual([
      ["baseline", 5, 1],
      ["baseline", 5, 2],
      ["baseline", 10, 1],
      ["baseline", 10, 2],
      ["no_hedge", undefined, 1],
      ["no_hedge", undefined, 2],
    ]);
    const plan = new Plan(hedging, "noop@1");
    expect(plan.count() + countSaved(plan)).toBe(8);
  });

  test("may depend on a parameter that only a variant has", () => {
    const extra = aStudy({
      axes: [{ ...axis("depth", 1, 2), when: "has(retry)" }],
      variants: [variant("baseline"), variant("retrying", { retry: 3 })],
    });
    expect(runsOf(extra).map(({ params }) => params.depth)).toEqual([1, 2, undefined]);
  });

  test("may depend on another conditional axis", () => {
    const chain = aStudy({
      axes: [{ ...axis("c", 1, 2), when: "b == 2" }, { ...axis("b", 1, 2), when: "a == 2" }, axis("a", 1, 2)],
    });
    expect(runsOf(chain).map(({ params }) => [params.a, params.b, params.c])).toEqual([
      [1, undefined, undefined],
      [2, 1, undefined],
      [2, 2, 1],
      [2, 2, 2],
    ]);
  });

  test.each([
    [
      "in a circle",
      [
        { ...axis("a", 1), when: "b == 1" },
        { ...axis("b", 1), when: "a == 1" },
      ],
      "wait for each other",
    ],
    ["of itself", [{ ...axis("a", 1), when: "a == 1" }], "reads a itself"],
    ["of nothing known", [{ ...axis("a", 1), when: "bb == 1" }], 'unknown parameter "bb"'],
  ])("is refused when it depends on conditions %s", (_, axes, message) => {
    expect(() => runsOf(aStudy({ axes }))).toThrow(message);
  });
});
