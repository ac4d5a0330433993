import { describe, expect, test } from "vitest";
import { fixture } from "../support/fixture.ts";
import { processorSeconds } from "../support/preload.ts";

const study = (lines: string) => `study: sums\ntarget: {command: [sh, sum.sh, "\${seed}"]}\n${lines}\n`;

describe("a mistake of the user's is one message with its place and exit code 2", () => {
  test.each([
    ["an unknown command", ["statu"], "Did you mean status?"],
    ["an unknown option", ["run", "study.yaml", "--job", "2"], "Did you mean --jobs?"],
    ["no file", ["run"], "no study file. Name one"],
    ["a file that is not there", ["run", "x.yaml"], "the study file x.yaml does not exist. `assay init`"],
    ["a folder", ["run", "."], ". is a folder, not a study file"],
    [
      "jobs that are no number",
      ["run", "study.yaml", "--jobs", "x"],
      '--jobs: expected a whole number above 0, got "x"',
    ],
    [
      "half a job",
      ["run", "study.yaml", "--jobs", "1.5"],
      '--jobs: expected a whole number above 0, got "1.5"',
    ],
    [
      "a cost that is no number",
      ["run", "study.yaml", "--max_cost=-1"],
      '--max-cost: expected a number above 0, got "-1"',
    ],
    ["a parameter without a value", ["run", "study.yaml", "-p", "a"], "-p a: expected key=value"],
    [
      "seeds that are no numbers",
      ["run", "study.yaml", "--seeds", "x"],
      "--seeds: expected how many, such as 5",
    ],
    ["a condition on nothing", ["run", "study.yaml", "--only", "c == 3"], 'the unknown parameter "c"'],
    [
      "a condition that nothing meets",
      ["run", "study.yaml", "--only", "a == 3"],
      'no run satisfies "a == 3"',
    ],
    ["an executor that is none", ["run", "study.yaml", "--executor", "proces"], 'Did you mean "process"?'],
    [
      "a program in a thread",
      ["run", "study.yaml", "--executor", "thread"],
      "a program can't run in a thread",
    ],
    ["a name that is no folder", ["run", "study.yaml", "--exp-name", "../x"], `can't be a folder`],
    ["an unknown study", ["status", "nothing"], 'there is no study "nothing"'],
    ["an unknown run", ["show", "nothing"], 'no run "nothing" has ended'],
    ["an unknown target", ["list", "nop"], 'Did you mean "noop"?'],
    ["an unknown shell", ["completion", "csh"], "bash, zsh, fish"],
    ["a folder without results", ["report", "."], ". holds no results"],
    ["a name that would steer the terminal", ["run", "\u001b[2Jx.yaml"], "x.yaml does not exist"],
  ])("%s", async (_, words, message) => {
    await using project = await fixture("sums");
    const ended = await project.assay(...words);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toContain(message);
    expect(ended.stderr).toMatch(/^assay: /);
    expect(ended.stderr).not.toMatch(/^\s+at /m);
    expect(ended.stderr).not.toContain("\u001b");
    expect(project.exists("bench_runs")).toBe(false);
  });

  test.each([
    ["an unknown key", study("matrx: {a: [1]}"), "study.yaml:3:1 matrx:", 'Did you mean "matrix"?'],
    ["a wrong type", study("matrix: {a: 5}"), "study.yaml:3:10 matrix.a:", "expected"],
    ["wrong seeds", study("seeds: [1, abc]"), "study.yaml:3", 'expected a number, got "abc"'],
    ["a key twice", study("seeds: 2\nseeds: 3"), "study.yaml:4:1:", "appears twice"],
    ["broken YAML", study("params: {a: [1}"), "study.yaml:3:", ""],
    ["an unknown shipped target", "study: s\ntarget: nop", "", 'Did you mean "noop"?'],
    [
      "a parameter that the target has not",
      "study: s\ntarget: noop\nparams: {value: high}",
      "value",
      "number",
    ],
    [
      "a placeholder that nothing fills",
      study('env: {A: "1"}').replace("${seed}", "${sed}"),
      "${sed}",
      'Did you mean "seed"?',
    ],
    [
      "a program that is not in PATH",
      "study: s\ntarget: {command: [nowhere-to-be-found]}",
      "not in PATH",
      "Install it",
    ],
    [
      "a module that is not there",
      "study: s\ntarget: ./none.ts",
      "none.ts does not exist",
      "relative to the study file",
    ],
  ])("in the file: %s", async (_, text, place, remedy) => {
    await using project = await fixture("sums", { "study.yaml": text });
    const ended = await project.assay("run", "study.yaml");
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toContain(place);
    expect(ended.stderr).toContain(remedy);
    expect(ended.stderr.trim().split("\n")).toHaveLength(1);
    expect(project.exists("bench_runs")).toBe(false);
  });
});

describe("hostile input ends within seconds, with its place and exit code 2", () => {
  const bomb = [
    "a: &a [x, x, x, x, x, x, x, x, x]",
    ..."bcdefghij"
      .split("")
      .map((key, i) => `${key}: &${key} [${Array(9).fill(`*${"abcdefghij"[i]}`).join(", ")}]`),
  ];
  test.each([
    ["an alias bomb", "yaml", bomb.join("\n")],
    ["a __proto__ key in YAML", "yaml", "study: s\ntarget: noop\nparams: {__proto__: {polluted: 1}}"],
    [
      "a __proto__ key in JSON",
      "json",
      '{"study": "s", "target": "noop", "params": {"__proto__": {"polluted": 1}}}',
    ],
    ["a __proto__ key in TOML", "toml", 'study = "s"\ntarget = "noop"\n[params.__proto__]\npolluted = 1'],
    ["a key twice in JSON", "json", '{"study": "s", "target": "noop", "seeds": 1,\n "seeds": 2}'],
    ["a key twice in TOML", "toml", 'study = "s"\nstudy = "t"'],
    ["nesting 10,000 deep in JSON", "json", `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`],
    ["nesting 10,000 deep in YAML", "yaml", `a: ${"[".repeat(10_000)}${"]".repeat(10_000)}`],
    ["nesting 10,000 deep in TOML", "toml", `a = ${"[".repeat(10_000)}${"]".repeat(10_000)}`],
    ["endless comments", "yaml", `${"# nothing to see here\n".repeat(200_000)}study: s\ntarget: noop\nx: 1`],
    ["binary rubbish", "yaml", "\0\x01\x02\xff[[[{{{"],
  ])("%s", async (_, ending, text) => {
    await using project = await fixture("sums", { [`hostile.${ending}`]: text });
    const ended = await processorSeconds(project, "plan", `hostile.${ending}`);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(/hostile\.\w+:\d+:\d+/);
    // A second, start included.
    expect(ended.seconds).toBeLessThan(10);
  });
});
