import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nearest, suggestion } from "../../src/core/suggest.ts";

const KEYS = ["seeds", "matrix", "variants", "executor", "sim_binary", "common_args"];

describe("a suggestion", () => {
  test.each([
    ["sedes", "seeds"],
    ["seed", "seeds"],
    ["Matrix", "matrix"],
    ["varaints", "variants"],
    ["simBinary", "sim_binary"],
    ["common-args", "common_args"],
    ["exec", "executor"],
  ])("for %s is %s", (slip, meant) => {
    expect(suggestion(slip, KEYS)).toBe(`Did you mean "${meant}"?`);
  });

  test("is the list of what there is when nothing is near, and nothing when there is nothing", () => {
    expect(suggestion("zzzzzz", ["a", "b"])).toBe("Known: a, b.");
    expect(suggestion("zzzzzz", [])).toBe("");
  });

  test("comes nearest first and never more than asked for", () => {
    expect(nearest("seeds", ["seedss", "seeds", "needs"], 2)).toEqual(["seeds", "seedss"]);
  });

  test("finds a word again after any one slip", () => {
    const slip = fc.record({
      word: fc.constantFrom("variants", "instruments", "executor", "analysis"),
      at: fc.nat({ max: 6 }),
      kind: fc.constantFrom("drop", "double", "swap", "replace"),
    });
    fc.assert(
      fc.property(slip, ({ word, at, kind }) => {
        const [head, here, rest] = [word.slice(0, at), word[at]!, word.slice(at + 1)];
        const slips = { drop: "", double: here + here, swap: (rest[0] ?? "") + here, replace: "q" };
        const misspelt = head + slips[kind as keyof typeof slips] + (kind === "swap" ? rest.slice(1) : rest);
        expect(nearest(misspelt, ["variants", "instruments", "executor", "analysis"], 1)).toEqual([word]);
      }),
    );
  });
});
