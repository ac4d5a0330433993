import { describe, expect, test } from "vitest";
import { lastLine, readPrinted } from "../../../src/targets/command/read-printed.ts";

const ACCURACY = { accuracy: "accuracy: ([0-9.]+)" };

describe("readPrinted", () => {
  test("takes the first group of the last match", () => {
    const text = "epoch 1 accuracy: 0.5\nepoch 2 accuracy: 0.75\ndone\n";
    expect(readPrinted(text, ACCURACY)).toEqual({ metrics: { accuracy: 0.75 } });
  });

  test.each([
    ["without a group the whole match", "took 12 s\n42\n", "^[0-9]+$", 42],
    ["thousands", "tokens 12,345.5", "tokens (\\S+)", 12_345.5],
    ["the end of a sentence", "loss: 0.5.", "loss: (\\S+)", 0.5],
    ["an exponent", "loss=1e-3", "loss=(\\S+)", 0.001],
    ["NaN is unknown", "loss=nan", "loss=(\\S+)", null],
  ])("%s", (_, text, pattern, value) => {
    expect(readPrinted(text, { x: pattern })).toEqual({ metrics: { x: value } });
  });

  test.each([
    ["acc 0.5\n", 'no accuracy in stdout: nothing matches /accuracy: ([0-9.]+)/; its last line is "acc 0.5"'],
    ["", "no accuracy in stdout: nothing matches /accuracy: ([0-9.]+)/; the program printed nothing there"],
    ["accuracy: ..", 'no accuracy in stdout: /accuracy: ([0-9.]+)/ matches "..", which is not a number'],
  ])("%j has no number, and says what there is instead", (text, problem) => {
    expect(readPrinted(text, ACCURACY)).toEqual({ metrics: {}, problem });
  });
});

describe("lastLine", () => {
  test.each([
    [
      "a Python traceback",
      'Traceback (most recent call last):\n  File "a.py", line 1\nValueError: bad model\n',
      "ValueError: bad model",
    ],
    [
      "an error of Node's",
      "/a.js:1\nthrow new Error('no')\n^\n\nError: no\n    at a.js:1:7 {\n  code: 'X'\n}\n\nNode.js v22.1.0\n",
      "Error: no",
    ],
    [
      "a panic of Rust's",
      "thread 'main' panicked at a.rs:1:\nboom\nnote: run with `RUST_BACKTRACE=1` environment variable\n",
      "boom",
    ],
    ["colours and a progress bar", "10 %\r20 %\r\x1b[31mout of memory\x1b[0m\n", "out of memory"],
    ["only indented lines", "  why not\n", "why not"],
    ["nothing", "\n\n", ""],
  ])("%s", (_, text, line) => {
    expect(lastLine(text)).toBe(line);
  });

  test("is short enough for a table", () => {
    expect(lastLine("x".repeat(1000))).toMatch(/^x{197}\.\.\.$/);
  });
});
