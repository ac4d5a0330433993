import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const pages = readdirSync(root)
  .concat(["docs", "examples"].flatMap(filesBelow))
  .filter((path) => path.endsWith(".md"));

test.each(pages)("%s links to files that exist", (page) => {
  const text = readFileSync(join(root, page), "utf8");
  const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map((match) => match[1]!);
  expect(links.filter((link) => !existsSync(join(root, dirname(page), link)))).toEqual([]);
});

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true }).map((path) => join(folder, String(path)));
}
