import { describe, expect, test } from "vitest";
import { parseExpression } from "../../src/core/expression.ts";
import type { Params } from "../../src/core/params.ts";

const holds = (source: string, scope: Params = {}) => parseExpression(source).holds(scope);

describe("a condition", () => {
  test.each([
    ["1 + 2 * 3 == 7", true],
    ["(1 + 2) * 3 == 9", true],
    ["10 - 3 - 2 == 5", true],
    ["7 % 4 * 2 == 6", true],
    ["8 / 4 / 2 == 1", true],
    ["-2 + 3 == 1", true],
    ["- -2 == 2", true],
    ["2 * -3 == -6", true],
    ["1 + 1 < 3 && 2 >= 2", true],
    ["true || false && false", true],
    ["(true || false) && false", false],
    ["!false && false", false],
    ["!(false && false)", true],
    ["not true or true", true],
    ["not (true or true)", false],
    ["true and not false", true],
    ["! 1 == 2", true],
    [".5 == 0.5 && 1e3 == 1000", true],
    ["'it\\'s' == \"it's\"", true],
    ["'a' < 'b' && 'b' > 'a'", true],
    ["1 != '1'", true],
    ["1 < '2'", false],
  ])("%s is %s", (source, expected) => {
    expect(holds(source)).toBe(expected);
  });

  test("reads parameters, also dotted ones and ones with a dot in their name", () => {
    expect(holds("policy == 'full'", { policy: "full" })).toBe(true);
    expect(holds("optimizer.lr < 0.1", { optimizer: { lr: 0.01 } })).toBe(true);
    expect(holds("optimizer.lr < 0.1", { "optimizer.lr": 0.01 })).toBe(true);
    expect(holds("optimizer.lr == null", { optimizer: 3 })).toBe(true);
  });

  test("takes a-b for a name and a - b or a-1 for a difference", () => {
    expect(holds("learning-rate == 5", { "learning-rate": 5 })).toBe(true);
    expect(holds("a - b == 3", { a: 5, b: 2 })).toBe(true);
    expect(holds("a-1 == 4", { a: 5 })).toBe(true);
    expect([...parseExpression("a-b == 1").names]).toEqual(["a-b"]);
    expect([...parseExpression("a - b == 1").names]).toEqual(["a", "b"]);
  });

  test("looks for a value in a list, which may hold names, lists and a last comma", () => {
    expect(holds("n in [50, 100]", { n: 100 })).toBe(true);
    expect(holds("n in [50, 100,]", { n: 7 })).toBe(false);
    expect(holds("not n in []", { n: 7 })).toBe(true);
    expect(holds("n in [low, low + 1]", { n: 4, low: 3 })).toBe(true);
    expect(holds("n in sizes", { n: 4, sizes: [3, 4] })).toBe(true);
    expect(holds("n in 'text'", { n: "t" })).toBe(false);
    expect(holds("layers in [[8], [8, 8]]", { layers: [8, 8] })).toBe(true);
  });

  test("compares lists and named values by what they hold", () => {
    expect(holds("layers == [64, 64]", { layers: [64, 64] })).toBe(true);
    expect(holds("layers != [64, 64]", { layers: [64, 64] })).toBe(false);
    expect(holds("layers == [64]", { layers: [64, 64] })).toBe(false);
    expect(holds("a == b", { a: { x: 1, y: 2 }, b: { y: 2, x: 1 } })).toBe(true);
  });

  test("takes an absent parameter for null, neither smaller nor larger than anything", () => {
    expect(holds("gone == null")).toBe(true);
    expect(holds("gone != 3")).toBe(true);
    for (const operator of ["<", "<=", ">", ">="]) expect(holds(`gone ${operator} 0`)).toBe(false);
    expect(holds("gone + 1 == null")).toBe(true);
    expect(holds("gone in [null]")).toBe(true);
    expect(holds("gone")).toBe(false);
  });

  test("asks with has() whether a parameter is there, whatever its value", () => {
    expect(holds("has(x)", { x: null })).toBe(true);
    expect(holds("has(x)", { x: 0 })).toBe(true);
    expect(holds("has(x)")).toBe(false);
    expect(holds("has(a.b)", { a: { b: false } })).toBe(true);
    expect(holds("has == 2", { has: 2 })).toBe(true);
  });

  test.each(["__proto__", "constructor", "toString", "hasOwnProperty", "a.constructor", "a.__proto__"])(
    "reads nothing behind the name %s",
    (name) => {
      expect(holds(`has(${name})`, { a: {} })).toBe(false);
      expect(holds(`${name} == null`, { a: {} })).toBe(true);
    },
  );

  test.each([
    ["a == ", "at column 6: expected a value, got the end"],
    ["a = 1", 'at column 3: expected a name, a value or an operator, got "=". Write == to compare.'],
    ["a == 1 b", 'at column 8: expected an operator or the end, got "b"'],
    ["(a == 1", 'at column 8: expected ")", got the end'],
    ["a in [1 2]", 'at column 9: expected "," or "]", got "2"'],
    ["a in [1", 'expected "," or "]", got the end'],
    ["has(1)", 'at column 5: expected a name, got "1"'],
    ["has(x", 'at column 6: expected ")", got the end'],
    ["a == 'x", "at column 6"],
    ["a & b", "at column 3"],
    ["a; b", "at column 2"],
    ["f(x)", 'at column 2: expected an operator or the end, got "("'],
    ["", "at column 1: expected a value, got the end"],
    ["* 3", 'at column 1: expected a value, got "*"'],
    ["1 < 2 < 3", 'at column 7: expected an operator or the end, got "<"'],
  ])("that is wrong (%s) says where and what was expected", (source, message) => {
    expect(() => parseExpression(source)).toThrow(message);
    expect(() => parseExpression(source)).toThrow(expect.objectContaining({ name: "UserError" }));
  });

  test("with an unknown name suggests the known one", () => {
    expect(() => parseExpression("polcy == 1", ["policy", "seed"])).toThrow(
      'names the unknown parameter "polcy". Did you mean "policy"?',
    );
    expect(() => parseExpression("a.b == 1 && seed == 2", ["a", "seed"])).not.toThrow();
  });

  test.each([
    ["parentheses", `${"(".repeat(5000)}1${")".repeat(5000)}`],
    ["lists", "[".repeat(50_000)],
    ["minus signs", `${"-".repeat(50_000)}1`],
  ])("with thousands of nested %s is refused", (_, source) => {
    expect(() => parseExpression(source)).toThrow("nested");
  });

  test("with thousands of terms holds as any other", () => {
    const many = Array.from({ length: 20_000 }, (_, i) => `x == ${i}`);
    expect(holds(many.join(" || "), { x: 19_999 })).toBe(true);
    expect(holds(many.join(" && "), { x: 0 })).toBe(false);
    expect(holds(`${Array(20_000).fill("1").join(" + ")} == 20000`)).toBe(true);
    expect(holds(`${"not ".repeat(20_000)} true`)).toBe(true);
  });

  test("may nest as deeply as people write", () => {
    expect(holds(`${"(".repeat(50)}true${")".repeat(50)}`)).toBe(true);
  });
});
