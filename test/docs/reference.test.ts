import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

test("the committed reference is what the schema and the command line say now", () => {
  const script = fileURLToPath(new URL("../../scripts/generate-docs.js", import.meta.url));
  const { stderr, status } = spawnSync(process.execPath, [script, "--check"], { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(status).toBe(0);
});
