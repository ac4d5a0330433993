import { expect, test } from "vitest";
import { describePackages } from "../../src/host/environment.ts";
import { TempFolder } from "../support/temp-folder.ts";

test("packages are those of the user's project, as they are installed, and Assay's own version", () => {
  using folder = new TempFolder({
    "package.json": JSON.stringify({
      dependencies: { fast: "^1.0.0", gone: "*" },
      devDependencies: { dev: "*" },
    }),
    "node_modules/fast/package.json": JSON.stringify({ version: "1.4.2" }),
    "node_modules/dev/package.json": JSON.stringify({ version: "0.3.0" }),
    "benchmarks/spec.yaml": "",
  });
  expect(describePackages(`${folder.path}/benchmarks`)).toEqual({
    assay: expect.stringMatching(/^\d/),
    fast: "1.4.2",
    dev: "0.3.0",
  });
});
