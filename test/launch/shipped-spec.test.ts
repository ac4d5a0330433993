import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { findSpec, shippedSpec, shippedSpecs } from "../../src/launch/load-study.ts";

test("a spec that ships is found by its bare name", () => {
  expect(shippedSpecs()).toContain("memory_db_baseline");
  for (const name of shippedSpecs()) expect(findSpec(name)).toBe(shippedSpec(`specs/${name}.yaml`));
  expect(findSpec("no_such_baseline")).toBe("no_such_baseline");
});

test("a spec that ships is found by its path where there is no such folder", () => {
  const found = findSpec("specs/memory_db_baseline.yaml");
  expect(found).toBe(shippedSpec("specs/memory_db_baseline.yaml"));
  expect(existsSync(found)).toBe(true);
});

test("what is in a folder of the user's, or nowhere, is taken as it is named", () => {
  for (const path of ["package.json", "test/none.yaml", "specs/none.yaml", "/specs/memory_db_baseline.yaml"])
    expect(findSpec(path)).toBe(path);
});
