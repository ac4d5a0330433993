import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const script = fileURLToPath(new URL("../../scripts/walks.js", import.meta.url));

/** Two of the five, to be quick: `npm run walks -- --check` has all. */
const WALKS = ["quickstart", "compare"];

test("the files that a reader of a command passes are no more than scripts/walks.json allows", () => {
  const told = execFileSync(process.execPath, [script, "--check", ...WALKS], { encoding: "utf8" });
  expect(
    told
      .trim()
      .split("\n")
      .map((line) => line.split(/\s/)[0]),
  ).toEqual(WALKS);
});
