import { describe, expect, test } from "vitest";
import { studyFrom } from "../source.ts";

const argv = (words: string) => {
  const text = `program: train.py\nmethod: grid\nparameters: {x: {value: 1}}\ncommand:\n${words}`;
  return (studyFrom(text, "s.yaml").target as { argv: string[] }).argv;
};

describe("a sweep file's command", () => {
  test("has what is known of it filled in, and its words as Python prints them", () => {
    expect(
      argv(
        "  - ${env}\n  - python3\n  - ${program}\n  - --n\n  - 5\n  - 5.0\n  - 1e-5\n  - true\n  - ${args_json}\n",
      ),
    ).toEqual(["/usr/bin/env", "python3", "train.py", "--n", "5", "5.0", "1e-5", "True", "${args_json}"]);
  });

  test("is the usual one where it is empty", () => {
    expect(argv("  []\n")).toEqual(["/usr/bin/env", "${interpreter}", "train.py", "${args}"]);
  });

  test("keeps what is the program's own, and variables of the environment inside a word", () => {
    const words = ["python", "--dir=${envvar:HOME}/x", "out=${hydra:runtime.cwd}", "$HOME"];
    expect(argv(words.map((word) => `  - "${word}"\n`).join(""))).toEqual(words);
  });

  test.each([
    ["${arg}", "s.yaml:5:5 command.0: unknown macro ${arg}. Did you mean ${args}?"],
    ["${args_no_hyphen}", "unknown macro ${args_no_hyphen}. Did you mean ${args_no_hyphens}?"],
    ["${interpeter}", "Did you mean ${interpreter}?"],
    ["${zzz}", "Known: env, interpreter, program, args"],
    ["--all=${args}", 'the macro ${args} stands inside "--all=${args}"'],
    ["${envvar:}", "names no environment variable"],
  ])("with %s is refused with its line", (word, message) => {
    expect(() => argv(`  - "${word}"\n`)).toThrow(message);
  });
});
