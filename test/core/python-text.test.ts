import { describe, expect, test } from "vitest";
import { pythonFloat, pythonJson, pythonRepr, pythonStr } from "../../src/core/python-text.ts";

/** Each text is what `repr(x)` prints in CPython 3. */
const FLOATS: [number, string][] = [
  [0.1, "0.1"],
  [1, "1.0"],
  [0, "0.0"],
  [-0, "-0.0"],
  [100000, "100000.0"],
  [1e-4, "0.0001"],
  [1e-5, "1e-05"],
  [1.5e-5, "1.5e-05"],
  [1e15, "1000000000000000.0"],
  [1e16, "1e+16"],
  [1.234e22, "1.234e+22"],
  [1e100, "1e+100"],
  [5e-324, "5e-324"],
  [0.1 + 0.2, "0.30000000000000004"],
  [123456.789, "123456.789"],
  [-2.5, "-2.5"],
  [Number.NaN, "nan"],
  [Number.NEGATIVE_INFINITY, "-inf"],
];

describe("Python's way to print", () => {
  test.each(FLOATS)("the float %s is %s", (number, text) => {
    expect(pythonFloat(number)).toBe(text);
  });

  test("truth, nothing, lists and named values", () => {
    expect(pythonRepr([true, false, null, 1, 2.5, "a"])).toBe("[True, False, None, 1, 2.5, 'a']");
    expect(pythonRepr({ lr: 0.001, nadam: { beta: 0.9 } })).toBe("{'lr': 0.001, 'nadam': {'beta': 0.9}}");
    expect(pythonStr("a b")).toBe("a b");
    expect(pythonStr(["a b"])).toBe("['a b']");
  });

  test("whole numbers as floats only where they are", () => {
    expect(pythonRepr([1, 1], (_, [index]) => index === 1)).toBe("[1, 1.0]");
    expect(pythonRepr(2 ** 53 - 1)).toBe("9007199254740991");
    expect(pythonRepr(-0)).toBe("0");
  });

  test("texts in the quotes that need the fewest escapes, with what can't be seen escaped", () => {
    expect(pythonRepr("it's")).toBe(`"it's"`);
    expect(pythonRepr(`it's "x"`)).toBe(`'it\\'s "x"'`);
    expect(pythonRepr("a\n\t\\\u0000\u00a0é\u200b")).toBe("'a\\n\\t\\\\\\x00\\xa0é\\u200b'");
  });

  test("JSON with spaces after commas and colons, and nothing beyond ASCII", () => {
    const json = pythonJson({ a: true, b: [1, 1e-5], c: null, d: "é😀" }, (_, [name]) => name === "b");
    expect(json).toBe('{"a": true, "b": [1.0, 1e-05], "c": null, "d": "\\u00e9\\ud83d\\ude00"}');
  });
});
