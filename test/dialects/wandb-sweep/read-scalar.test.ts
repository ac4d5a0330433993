import { describe, expect, test } from "vitest";
import { studyFrom } from "../source.ts";

const read = (value: string) => {
  const study = studyFrom(`program: t.py\nmethod: grid\nparameters:\n  x: {value: ${value}}\n`, "s.yaml");
  const { distribution } = study.search!.space[0]!;
  return {
    value: distribution.kind === "constant" ? distribution.value : undefined,
    warnings: (study.warnings ?? []).map((warning) =>
      warning.text.replace("s.yaml:4:7 parameters.x.value: ", ""),
    ),
  };
};

describe("a scalar of a sweep file", () => {
  test.each([
    ["1", 1],
    ["-3", -3],
    ["+3", 3],
    ["0", 0],
    ["1.0", 1],
    ["1.5e-5", 1.5e-5],
    [".5", 0.5],
    ["0x1F", 31],
    ["true", true],
    ["null", null],
    ["~", null],
    ['"010"', "010"],
    ["'on'", "on"],
    ['"1e-5"', "1e-5"],
    [":3", ":3"],
    ["!!float 1e-5", 1e-5],
    ["!!str 010", "010"],
    ["a 1e-5", "a 1e-5"],
  ])("%s is read in silence", (text, value) => {
    expect(read(text)).toEqual({ value, warnings: [] });
  });

  test.each([
    ["1e-5", 1e-5, "1e-5: read as a number, as was meant"],
    ["1e5", 1e5, "read as a number, as was meant"],
    ["1.5e5", 1.5e5, "read as a number, as was meant"],
    ["on", true, "on: read as true, as YAML 1.1 does; quote it for a text"],
    ["No", false, "No: read as false"],
    ["010", 8, "010: read as octal, 8, as YAML 1.1 does"],
    ["-017", -15, "read as octal, -15"],
    ["089", "089", "read as a text, as YAML 1.1 does"],
    ["1_000", 1000, "1_000: read as 1000"],
    ["1_000.5", 1000.5, "read as 1000.5"],
    ["0b101", 5, "read as the number 5"],
    ["0o17", 15, "read as the number 15"],
    ["5:20", "5:20", "5:20: read as a text; YAML 1.1"],
  ])("%s is read as %s, and that is said", (text, value, warning) => {
    const found = read(text);
    expect(found.value).toBe(value);
    expect(found.warnings).toEqual([expect.stringContaining(warning)]);
  });

  test("says it once for a whole list", () => {
    const { warnings } = studyFrom(
      "program: t.py\nmethod: grid\nparameters:\n  decay:\n    values: [1e-5, 1e-6, 1e-7]\n",
      "s.yaml",
    );
    expect(warnings!.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^s.yaml:5:5 parameters.decay.values: 1e-5, 1e-6, 1e-7: read as a number/),
    ]);
  });

  test("is one value whether it is written as a float or not, which is said", () => {
    const { warnings } = studyFrom(
      "program: t.py\nmethod: grid\nparameters:\n  x: {values: [1, 1.0, 2.0]}\n",
      "s.yaml",
    );
    expect(warnings!.map(({ text }) => text)).toEqual([
      "s.yaml:4:7 parameters.x.values: 1 and 1.0 are one value here, and printed as the float",
    ]);
  });

  test("stays true or false in a list of both", () => {
    const study = studyFrom(
      "program: t.py\nmethod: bayes\nmetric: {name: m}\nparameters:\n  x: {values: [true, false]}\n",
      "s.yaml",
    );
    expect(study.search!.space[0]!.distribution).toEqual({ kind: "categorical", values: [true, false] });
  });
});
