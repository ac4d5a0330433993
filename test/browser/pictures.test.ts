import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { noBrowser } from "../support/browser.ts";

test.skipIf(noBrowser)("the README's pictures show what the program prints and shows now", () => {
  const script = fileURLToPath(new URL("../../scripts/pictures.js", import.meta.url));
  const { stderr, status } = spawnSync(process.execPath, [script, "--check"], { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(status).toBe(0);
});
