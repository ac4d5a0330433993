import { describe, expect, test } from "vitest";
import { UserError } from "../../src/core/errors.ts";
import { studyFrom } from "./source.ts";

const lines = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join("\n");

/** What must end with a message and a place, soon: each of these hung or crashed some parser. */
const HOSTILE: [string, string, string, string][] = [
  [
    "an alias bomb",
    "a.yaml",
    `a: &a0 [x, x]\n${lines(30, (i) => `a${i}: &a${i + 1} [*a${i}, *a${i}]`)}`,
    "Excessive alias count",
  ],
  [
    "a bomb of merges",
    "a.yaml",
    `a: &a0 {x: 1}\n${lines(60, (i) => `a${i}: &a${i + 1} {<<: [*a${i}, *a${i}]}`)}`,
    "Excessive alias count",
  ],
  ["an alias of itself", "a.yaml", "target: noop\nparams: &a {b: *a}", "nested too deeply"],
  [
    "__proto__ in YAML",
    "a.yaml",
    "target: noop\nparams:\n  __proto__: {a: 1}",
    'a.yaml:3:3 params.__proto__: the key "__proto__" is not allowed',
  ],
  [
    "__proto__ in JSON",
    "a.json",
    '{"target": "noop",\n"params": {"__proto__": {"a": 1}}}',
    "a.json:2:12 params.__proto__",
  ],
  ["__proto__ in TOML", "a.toml", "target = 'noop'\n[params]\n__proto__ = 1", "a.toml:3:1 params.__proto__"],
  ["constructor deep in a list", "a.yaml", "params: {a: [{constructor: 1}]}", "params.a.0.constructor"],
  [
    "NUL in a value",
    "a.yaml",
    'target: noop\nparams: {a: ["b\\0c"]}',
    "a.yaml:2:14 params.a.0: a value holds a NUL",
  ],
  [
    "NUL in JSON",
    "a.json",
    '{"target": "noop",\n"params": {"a": "b\\u0000c"}}',
    "params.a: a value holds a NUL",
  ],
  [
    "ESC in a key",
    "a.yaml",
    'target: noop\nparams: {"a\\e[2J": 1}',
    'the key "a\ufffd[2J" holds a control character',
  ],
  [
    "a placeholder in a flow list without quotes",
    "a.yaml",
    "target: {command: [p, ${model}]}",
    'a.yaml:1:24: Missing , or : between flow sequence items. Put a text that holds braces in quotes: "${model}".',
  ],
  [
    "duplicate keys in YAML",
    "a.yaml",
    "params:\n  a: 1\n  b: 2\n  a: 3",
    'a.yaml:4:3: the key "a" appears twice',
  ],
  [
    "duplicate keys in JSON",
    "a.json",
    '{"seeds": 1,\n "seeds": 2}',
    'a.json:2:2: the key "seeds" appears twice',
  ],
  ["duplicate keys in TOML", "a.toml", "a = 1\na = 2", "a.toml:2:1"],
  ["10,000 lists", "a.yaml", `a: ${"[".repeat(10_000)}`, "a.yaml:1:104: the file is nested too deeply"],
  ["10,000 lists behind a quote", "a.yaml", `a: [x "${"[".repeat(10_000)}`, "a.yaml:1:"],
  ["10,000 maps", "a.json", '{"a":'.repeat(10_000), "a.json:1:501: the file is nested too deeply"],
  ["10,000 block lists", "a.yaml", `${"- ".repeat(10_000)}x`, "nested too deeply"],
  [
    "block maps without end",
    "a.yaml",
    lines(1000, (i) => `${" ".repeat(i)}a:`),
    "a.yaml:402:1: the file is nested too deeply",
  ],
  ["10,000 explicit keys", "a.yaml", `${"? ".repeat(10_000)}x`, "nested too deeply"],
  ["10,000 dots in TOML", "a.toml", `a${".a".repeat(10_000)} = 1`, "nested too deeply"],
  ["10,000 tables in TOML", "a.toml", `[a${".a".repeat(10_000)}]`, "nested too deeply"],
  ["10,000 lists in TOML", "a.toml", `a = ${"[".repeat(10_000)}`, "nested too deeply"],
  [
    "comments to the limit",
    "a.yaml",
    "# and so on\n".repeat(49_999),
    "a.yaml:1:1: expected a study with named keys, got an empty file",
  ],
  [
    "comments without end",
    "a.yaml",
    "# and so on\n".repeat(400_000),
    "a.yaml:1:1: the study file is too large",
  ],
  ["nothing but blank lines", "a.yaml", "\n".repeat(900_000), "the study file is too large"],
  ["a huge file", "a.toml", `a = "${"x".repeat(2_000_000)}"`, "the study file is too large"],
  ["10,000 keys", "a.yaml", lines(10_000, (i) => `key${i}: 1`), "a.yaml:1:1"],
  [
    "a seed that would be another",
    "a.yaml",
    "target: noop\nparams: {id: 9007199254740993}",
    "a.yaml:2:14: 9007199254740993 is too large",
  ],
  [
    "the same in JSON",
    "a.json",
    '{"target": "noop", "params": {"id": -9007199254740993}}',
    "too large to be kept exactly",
  ],
  ["the same in TOML", "a.toml", "target = 'noop'\nparams = {id = 9007199254740993}", "a.toml:2:"],
  ["a broken flow", "a.yaml", "target: noop\nmatrix: {a: [1, 2}", "a.yaml:2:"],
  ["a broken JSON", "a.json", '{"target": "noop",\n"matrix": }', "a.json:2:"],
  ["a broken TOML", "a.toml", "target = 'noop'\nmatrix = = 3", "a.toml:2:"],
  ["two documents", "a.yaml", "target: noop\n---\ntarget: noop", "a.yaml:2:"],
  ["a list", "a.yaml", "- 1", "a.yaml:1:1: expected a study with named keys, got a list"],
  ["a single value", "a.yaml", "\0\u0001", "got a single value"],
  ["an empty file", "a.json", "", "got an empty file. `assay init` writes one to start from."],
];

describe("a study file", () => {
  test.each(HOSTILE)("with %s is refused with its place", (_, path, text, message) => {
    let error: unknown;
    try {
      studyFrom(text, path);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(UserError);
    expect((error as UserError).message).toContain(message);
    expect((error as UserError).message).toMatch(/^a\.\w+:\d+:\d+/);
  });

  test("may have large floats, large numbers in quotes, and a byte order mark", () => {
    const text =
      '\ufefftarget: noop\nparams: {a: 1e300, b: "9007199254740993", c: 9007199254740991, d: 12345678901234567890.5}';
    expect(studyFrom(text).params).toMatchObject({ a: 1e300, b: "9007199254740993", c: 9007199254740991 });
    expect(studyFrom("\ufefftarget = 'noop'", "a.toml").target).toMatchObject({ name: "noop" });
  });

  test("may use a few aliases and merges, brackets in texts, and comments", () => {
    const text = `target: noop # ${"[".repeat(500)}
params: &base {a: 1, text: "${"[".repeat(500)}", other: '${"{".repeat(500)}'}
matrix: {b: [{<<: *base, c: 2}, *base]}`;
    expect(studyFrom(text).axes[0]!.rows[0]![0]).toMatchObject({ a: 1, c: 2 });
  });
});
