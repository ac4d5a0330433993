import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { checkCommand, commandWords } from "../../../src/targets/command/fill-argv.ts";
import { interpreter } from "../../../src/targets/command/find-program.ts";
import { aRun } from "../../support/a-study.ts";

const run = aRun({
  params: { d: null, a: true, b: false, c: 1, lr: 1, opt: { lr: 0.001, nadam: { beta: 0.9 } }, t: "a b" },
  seed: 7,
});
const sweepArgs = { floats: [{ path: ["lr"], values: [1] }] };
const words = (...argv: string[]) => commandWords({ argv, sweepArgs }, run, "/study/runs/r/out");

describe("the words of a sweep's command", () => {
  test.each([
    [
      "args",
      [
        "--a=True",
        "--b=False",
        "--c=1",
        "--d=None",
        "--lr=1.0",
        "--opt={'lr': 0.001, 'nadam': {'beta': 0.9}}",
        "--t=a b",
      ],
    ],
    [
      "args_no_hyphens",
      ["a=True", "b=False", "c=1", "d=None", "lr=1.0", "opt={'lr': 0.001, 'nadam': {'beta': 0.9}}", "t=a b"],
    ],
    [
      "args_no_boolean_flags",
      ["--a", "--c=1", "--d=None", "--lr=1.0", "--opt={'lr': 0.001, 'nadam': {'beta': 0.9}}", "--t=a b"],
    ],
    [
      "args_append_hydra",
      [
        "+a=True",
        "+b=False",
        "+c=1",
        "+d=None",
        "+lr=1.0",
        "+opt={'lr': 0.001, 'nadam': {'beta': 0.9}}",
        "+t=a b",
      ],
    ],
    [
      "args_override_hydra",
      [
        "++a=True",
        "++b=False",
        "++c=1",
        "++d=None",
        "++lr=1.0",
        "++opt={'lr': 0.001, 'nadam': {'beta': 0.9}}",
        "++t=a b",
      ],
    ],
    [
      "args_json",
      [
        '{"a": true, "b": false, "c": 1, "d": null, "lr": 1.0, "opt": {"lr": 0.001, "nadam": {"beta": 0.9}}, "t": "a b"}',
      ],
    ],
    ["args_json_file", ["/study/runs/r/args.json"]],
  ])("by ${%s}", (macro, expected) => {
    expect(words("p", `\${${macro}}`)).toEqual(["p", ...expected]);
  });

  test("by ${args_no_equals} are two a parameter", () => {
    const argv = commandWords(
      { argv: ["${args_no_equals}"], sweepArgs },
      aRun({ params: { a: 1.5, lr: 1 } }),
      "/o/out",
    );
    expect(argv).toEqual(["--a", "1.5", "--lr", "1.0"]);
  });

  test("give the program the names that it knows, and the seed where it is a parameter", () => {
    const renamed = { floats: [{ path: ["task_"] }], names: { task_: "task" }, seedName: "seed" };
    const argv = commandWords(
      { argv: ["${args}"], sweepArgs: renamed },
      aRun({ params: { z: 1, task_: 2 }, seed: 7 }),
      "/out",
    );
    expect(argv).toEqual(["--seed=7", "--task=2.0", "--z=1"]);
  });

  test("leave what is the program's own as it stands", () => {
    expect(words("out=${hydra:runtime.cwd}", "${not a macro}", "$HOME", "")).toEqual([
      "out=${hydra:runtime.cwd}",
      "${not a macro}",
      "$HOME",
      "",
    ]);
  });

  test("never fill themselves again, whatever a value says", () => {
    const odd = aRun({ params: { x: "${args} $& ${envvar:HOME}" } });
    expect(commandWords({ argv: ["${args}"], sweepArgs }, odd, "/out")).toEqual([
      "--x=${args} $& ${envvar:HOME}",
    ]);
  });

  describe("with variables of the environment", () => {
    beforeEach(() => void vi.stubEnv("FOO_DIR", "foo"));
    afterEach(() => void vi.unstubAllEnvs());

    test("have them filled in, also inside a word", () => {
      expect(words("a/${envvar:FOO_DIR}/${envvar:FOO_DIR}", "${envvar:FOO_DIR}")).toEqual([
        "a/foo/foo",
        "foo",
      ]);
    });

    test("are refused before anything runs where one is not set", () => {
      expect(() => checkCommand({ argv: ["${envvar:FOO_DIR}"], sweepArgs }, [])).not.toThrow();
      expect(() => checkCommand({ argv: ["x=${envvar:NO_SUCH_VARIABLE}"], sweepArgs }, [])).toThrow(
        "the command names ${envvar:NO_SUCH_VARIABLE}, which is not set. Set it: export NO_SUCH_VARIABLE=...",
      );
    });
  });
});

test("the interpreter is python, or python3 where a machine has only that", () => {
  expect(interpreter("/nowhere")).toBe("python");
});
