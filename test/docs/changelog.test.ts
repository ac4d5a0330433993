import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

test("the changelog begins with the version of the package", () => {
  const [, newest, date] = /^## \[([^\]]+)\](?: - (.*))?$/m.exec(read("CHANGELOG.md"))!;
  expect(newest).toBe(JSON.parse(read("package.json")).version);
  expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
});
