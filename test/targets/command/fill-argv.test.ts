import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkTemplate, fillArgv } from "../../../src/targets/command/fill-argv.ts";
import { aRun } from "../../support/a-study.ts";

describe("a command's words", () => {
  const run = aRun({
    id: "r__1",
    params: { n: 5, policy: "a b; rm -rf /", deep: { x: [1] }, on: true, off: false, none: null },
    flags: ["--disable"],
    seed: 9,
    variant: "odd",
    repeat: 2,
  });

  test("say every parameter by ${args}: true as a bare flag, false and null not at all, then the flags", () => {
    expect(fillArgv(["prog", "${args}"], run, "/out")).toEqual([
      "prog",
      "--n",
      "5",
      "--policy",
      "a b; rm -rf /",
      "--deep",
      '{"x":[1]}',
      "--on",
      "--disable",
    ]);
  });

  test("put the flags where ${flags} stands", () => {
    const argv = fillArgv(["${flags}", "--", "${args}"], { ...run, params: { n: 1 } }, "/out");
    expect(argv).toEqual(["--disable", "--", "--n", "1"]);
  });

  test("have placeholders replaced inside a word", () => {
    const template = [
      "${seed}",
      "--out=${out_dir}/x",
      "${run_id}-${repeat}-${variant}",
      "$notme",
      "${n}${n}",
    ];
    expect(fillArgv(template, run, "/o u t")).toEqual(["9", "--out=/o u t/x", "r__1-2-odd", "$notme", "55"]);
  });

  test("leave out a word whose parameter is inactive or unknown here", () => {
    expect(fillArgv(["a", "--beta=${beta}", "--task=${task}", "b"], run, "/out")).toEqual(["a", "b"]);
  });

  test("never split, join or fill themselves again, whatever the value", () => {
    const value = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom("${args}", "${seed}", "$&", "a\nb", "'; ls"),
    );
    fc.assert(
      fc.property(value, value, (a, b) => {
        const argv = fillArgv(["p", "${a}", "x=${b}", "${args}"], aRun({ params: { a, b } }), "/out");
        expect(argv).toEqual(["p", a, `x=${b}`, "--a", a, "--b", b]);
      }),
    );
  });
});

describe("a command's template", () => {
  test("may name parameters and what every run has", () => {
    const words = [
      "p",
      "${args}",
      "${flags}",
      "${seed}${n}",
      "${out_dir}/${run_id}",
      "${task}",
      "${variant}${repeat}",
    ];
    expect(() => checkTemplate(words, ["n"])).not.toThrow();
  });

  test("is refused where a parameter stands in braces without its dollar, and only there", () => {
    expect(() => checkTemplate(["--model={model}"], ["model"])).toThrow(
      "in the command, {model} would reach the program as it stands. Write ${model} for the value.",
    );
    expect(() => checkTemplate(['{"a": {b}}', "${model}"], ["model"])).not.toThrow();
  });

  test("is refused with a name that nothing fills, and with ${args} inside a word", () => {
    expect(() => checkTemplate(["${policiy}"], ["policy"])).toThrow(
      'the command names ${policiy}, which is not a parameter. Did you mean "policy"?',
    );
    expect(() => checkTemplate(["--all=${args}"], [])).toThrow('${args} stands inside "--all=${args}"');
    expect(() => checkTemplate(["${constructor}"], [])).toThrow("not a parameter");
  });
});
