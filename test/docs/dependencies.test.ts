import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");

test("docs/decisions/dependencies.md says of every runtime dependency what it earns, and of no other", () => {
  const packages = [
    "package.json",
    ...readdirSync(join(root, "packages")).map((name) => `packages/${name}/package.json`),
  ];
  const installed = packages
    .filter((path) => existsSync(join(root, path)))
    .flatMap((path) => Object.keys(JSON.parse(read(path)).dependencies ?? {}));
  const rows = read("docs/decisions/dependencies.md").matchAll(/^\| (?!---|package )([^|]+) \|/gm);
  const explained = [...rows].flatMap(([, names]) => names!.split(", "));
  expect(explained.sort()).toEqual([...new Set(installed)].filter((name) => name !== "assay").sort());
});
