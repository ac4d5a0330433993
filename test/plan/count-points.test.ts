import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseExpression } from "../../src/core/expression.ts";
import type { Params, Value } from "../../src/core/params.ts";
import { type CountedAxis, countPoints, countSaved } from "../../src/plan/count-points.ts";
import { Plan } from "../../src/plan/plan.ts";
import { aStudy, axis } from "../support/a-study.ts";

const counted = (name: string, values: Value[], when?: string): CountedAxis => ({
  names: [name],
  size: values.length,
  nth: (position) => [values[position]!],
  when: when === undefined ? undefined : parseExpression(when),
});

/** Every point written down, for comparison. */
function walk(axes: CountedAxis[], scope: Params): Params[] {
  const [first, ...rest] = axes;
  if (!first) return [scope];
  if (first.when && !first.when.holds(scope)) return walk(rest, scope);
  return Array.from({ length: first.size }, (_, i) => i).flatMap((i) =>
    walk(rest, { ...scope, [first.names[0]!]: first.nth(i)[0]! }),
  );
}

describe("counting points", () => {
  test("gives the 84 runs that a grid of 6 models, 4 strategies and 6 summarisers has, not 144", () => {
    // Two of the four strategies summarise: 6 x 2 + 6 x 2 x 6 = 84.
    const models = Array.from({ length: 6 }, (_, i) => `model${i}`);
    const axes = [
      counted("model", models),
      counted("strategy", ["raw", "observation_masking", "llm_summary", "hybrid"]),
      counted("summarizer", models, "strategy in ['llm_summary', 'hybrid']"),
    ];
    expect(countPoints(axes, {})).toEqual({ full: 144, distinct: 84, kept: 84 });
  });

  test("counts what walking through them all gives, whatever the conditions", () => {
    const values = fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 4 });
    const when = (names: string) =>
      fc.option(fc.constantFrom(`${names} > 2`, `${names} == 1 || fixed`, `has(${names})`));
    fc.assert(
      fc.property(
        values,
        values,
        values,
        when("a"),
        when("b"),
        fc.boolean(),
        (a, b, c, whenB, whenC, fixed) => {
          const axes = [
            counted("a", a),
            counted("b", b, whenB ?? undefined),
            counted("c", c, whenC ?? undefined),
          ];
          const where = parseExpression("a <= b or not has(b)");
          const points = walk(axes, { fixed });
          expect(countPoints(axes, { fixed }, where)).toEqual({
            full: a.length * b.length * c.length,
            distinct: points.length,
            kept: points.filter((point) => where.holds(point)).length,
          });
        },
      ),
    );
  });

  test("never goes through what no condition reads", () => {
    const endless: CountedAxis = {
      names: ["big"],
      size: 1e12,
      nth: () => {
        throw new Error("nobody should look");
      },
    };
    const axes = [counted("a", [1, 2, 3]), counted("b", [1, 2], "a > 1"), endless];
    expect(countPoints(axes, {}, parseExpression("a != 3"))).toEqual({
      full: 6e12,
      distinct: 5e12,
      kept: 3e12,
    });
  });

  test("says that it does not know where a condition reads too much", () => {
    const wide = (name: string): CountedAxis => ({ names: [name], size: 10_000, nth: (i) => [i] });
    expect(countPoints([wide("a"), wide("b")], {}, parseExpression("a < b")).kept).toBeUndefined();
  });
});

describe("what the inactive axes of a matrix save", () => {
  test("is what the full product would have on top, for every seed, variant and repeat", () => {
    const study = aStudy({
      axes: [axis("strategy", "raw", "mask", "sum"), { ...axis("n", 5, 10, 15), when: "strategy != 'raw'" }],
      seeds: [1, 2],
      repeats: { warmup: 0, measured: 2 },
    });
    const plan = new Plan(study, "noop@1");
    // 9 combinations, of which "raw" has three that are one.
    expect(countSaved(plan)).toBe(2 * 2 * 2);
    expect(plan.count() + countSaved(plan)).toBe(9 * 2 * 2);
  });

  test("is nothing where no axis has a condition", () => {
    expect(countSaved(new Plan(aStudy({ axes: [axis("a", 1, 2)] }), "noop@1"))).toBe(0);
  });
});
