import fc from "fast-check";
import { expect, test } from "vitest";
import { findDeviation, readRules } from "../../../src/models/scripted/find-deviation.ts";

test("rules are code that does something, not paths, names or commands", () => {
  const page =
    "See `src/a.js`, run `npm test`. `f` gives `sum >= 100 ? 1 : 0`; the limit is `LIMIT = 5`.\n```\nx = 1\n```\n";
  expect(readRules(page)).toEqual(["sum >= 100 ? 1 : 0", "LIMIT = 5"]);
});

const mend = (code: string, rules: string[]) => {
  const found = findDeviation(code, rules);
  return found && code.slice(0, found.start) + found.rule + code.slice(found.end);
};

test.each([
  ["a wrong operator", "return total > 100;", "total >= 100", "return total >= 100;"],
  ["a wrong constant", "const MAX = 3;", "MAX = 5", "const MAX = 5;"],
  ["off by one", "for (i = 0; i < n - 1; i++)", "i < n", "for (i = 0; i < n; i++)"],
  ["a wrong name", "return width * width;", "width * height", "return width * height;"],
  ["a missing part", "return a + b;", "a + b + carry", "return a + b + carry;"],
  [
    "other spaces",
    "return total>100;",
    "total >= 100",
    "return total>= 100;".replace(">=", " >=").replace("  ", " "),
  ],
])("%s is found and mended", (_, code, rule, mended) => {
  expect(mend(code, [rule])?.replaceAll(/\s/g, "")).toBe(mended.replaceAll(/\s/g, ""));
});

test("code that follows its rules has no deviation, whatever the spaces and comments", () => {
  expect(findDeviation("return total>=100; // not total > 100", ["total >= 100"])).toBeUndefined();
});

test("code that another rule describes is left alone", () => {
  expect(findDeviation("if (n > 10) return n > 20;", ["n > 10", "n > 20"])).toBeUndefined();
  expect(mend("a = n > 10; b = n < 20;", ["n > 10", "n > 20"])).toBe("a = n > 10; b = n > 20;");
});

test("code that is far from every rule is left alone", () => {
  expect(findDeviation("return names.join(sep);", ["total >= 100", "LIMIT = 5"])).toBeUndefined();
});

test("whatever single token of a rule is changed, the code is mended to the rule", () => {
  const rule = ["price", "*", "count", "-", "rebate", "+", "fee"];
  const change = fc.record({ at: fc.nat(rule.length - 1), other: fc.constantFrom("tax", "/", "7", "%") });
  fc.assert(
    fc.property(change, ({ at, other }) => {
      const code = `function total() {\n  return ${rule.with(at, other).join(" ")};\n}`;
      expect(mend(code, [rule.join(" ")])).toContain(rule.join(" "));
    }),
  );
});

test("a case that was left out goes before the last return", () => {
  const code = "function days(method) {\n  return 10;\n}";
  const rules = ['if (method === "card") return 5', "return 10"];
  expect(mend(code, rules)).toBe(
    'function days(method) {\n  if (method === "card") return 5;\n  return 10;\n}',
  );
  expect(findDeviation(mend(code, rules)!, rules)).toBeUndefined();
});

test("a return that is far from its rule is replaced as a whole, if it is the only one that no rule has", () => {
  const rule = "return Math.ceil(position / copies) * loanDays";
  expect(mend("  return position * loanDays;", [rule])).toBe(`  ${rule};`);
  const swapped = "  return isOpened ? 0 : price * 0.15;";
  expect(mend(swapped, ["return isOpened ? price * 0.15 : 0"])).toBe("  return isOpened ? price * 0.15 : 0;");
  expect(findDeviation("  if (a) return 1;\n  return two(b, c, d);\n  return 3;", [rule])).toBeUndefined();
});
