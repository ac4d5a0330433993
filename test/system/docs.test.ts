import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { packageJson, root, runShell, testPages } from "../support/doc-pages.ts";

describe("the commands of the first pages and of the examples", () => {
  const examples = readdirSync(join(root, "examples")).map((name) => `examples/${name}/README.md`);
  testPages(["README.md", "CONTRIBUTING.md", ...examples]);
});

test("npm start ends with the report to open", () => {
  const start = packageJson.scripts.start!.replace("node bin/assay.js", "assay");
  const { status, output } = runShell(start);
  expect(status, output).toBe(0);
  expect(output).toContain("Open this report: bench_runs/quickstart/report/index.html");
});
