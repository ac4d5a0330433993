import { expect, test } from "vitest";
import { overridesFrom } from "../../src/cli/overrides.ts";
import { seedsOption } from "../../src/cli/read-option.ts";

const seedsOf = (text: string) => overridesFrom({ seeds: seedsOption(text) }).seeds;

test("--seeds with a number alone says how many, as a study file does; lists and ranges say which", () => {
  expect(seedsOf("3")).toEqual([1, 2, 3]);
  expect(seedsOf("1")).toEqual([1]);
  expect(seedsOf("5..5")).toEqual([5]);
  expect(seedsOf("4,7..9")).toEqual([4, 7, 8, 9]);
  for (const wrong of ["0", "x", "3..1", ""])
    expect(() => seedsOf(wrong)).toThrow(/--seeds.*expected .*, got /);
});
