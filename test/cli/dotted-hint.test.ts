import { expect, test } from "vitest";
import { dottedHint } from "../../src/cli/main.ts";
import { createProgram } from "../../src/cli/program.ts";

test.each([
  ["compare", "--summary.type", "--summary"],
  ["compare", "--bootstrap.n-resamples=5000", "--resamples"],
  ["compare", "--bootstrap.alpha", "--alpha"],
  ["compare", "--output.csv-path", "--csv"],
  ["compare", "--summary.step-min", "--step-min"],
  ["power", "--power.target-effect-size", "--effect"],
])("%s %s is %s here", (command, word, ours) => {
  expect(dottedHint(["node", "assay", command, "study", word, "x"], createProgram())).toBe(
    `Here it is ${ours}.\n`,
  );
});

test("other dots are told that there are none, other mistakes nothing", () => {
  const hint = (...words: string[]) => dottedHint(["node", "assay", ...words], createProgram());
  expect(hint("compare", "--no.such")).toContain("Options have no dots");
  expect(hint("compare", "--sumary", "a.b")).toBe("");
});
