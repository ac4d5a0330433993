import { describe, expect, test } from "vitest";
import type { Comparison, Verdict } from "../../src/analysis/compare/comparison.ts";
import { choose, fastestArm } from "../../src/api/recommend.ts";

const candidates = ["safe", "middle", "risky"].map((name) => ({ name, what: name, risk: name }));
const against = (verdicts: Record<string, Verdict>) =>
  Object.entries(verdicts).map(([name, verdict]) => ({ candidate: { name }, verdict }) as Comparison);

describe("a recommendation", () => {
  test("is the fastest where all others are surely slower", () => {
    const choice = choose("risky", against({ safe: "worse", middle: "worse" }), candidates);
    expect(choice).toEqual({ chosen: "risky", tied: ["risky"], unknown: [] });
  });

  test("is the safest of those that can't be told from the fastest", () => {
    expect(choose("risky", against({ safe: "worse", middle: "unclear" }), candidates).chosen).toBe("middle");
    expect(choose("risky", against({ safe: "equal", middle: "unclear" }), candidates).chosen).toBe("safe");
    expect(choose("safe", against({ middle: "unclear", risky: "unclear" }), candidates).chosen).toBe("safe");
  });

  test("takes nothing from what could not be compared", () => {
    const choice = choose("middle", against({ safe: "unknown", risky: "worse" }), candidates);
    expect(choice).toEqual({ chosen: "middle", tied: ["middle"], unknown: ["safe"] });
  });

  test("begins with the least mean", () => {
    expect(
      fastestArm(
        new Map([
          ["a", 3],
          ["b", 1],
          ["c", 2],
        ]),
      ),
    ).toBe("b");
    expect(fastestArm(new Map())).toBeUndefined();
  });
});
