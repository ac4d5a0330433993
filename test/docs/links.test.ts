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

test.each(pages)("%s links to headings that exist", (page) => {
  const text = readFileSync(join(root, page), "utf8");
  const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)];
  const missing = links.filter(([, path, heading]) => {
    const target = path === "" ? page : join(dirname(page), path!);
    return target.endsWith(".md") && !headingsOf(target).includes(heading!);
  });
  expect(missing.map(([link]) => link)).toEqual([]);
});

test.each(pages)("%s names files of the project that exist", (page) => {
  const text = readFileSync(join(root, page), "utf8");
  const names = text.matchAll(/`((?:src|test|scripts|bench|packages|viewer)\/[\w./-]+)`/g);
  expect([...names].map(([, path]) => path!).filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

/** As GitHub makes them: lower case, without punctuation, hyphens for spaces. */
function headingsOf(page: string): string[] {
  const text = readFileSync(join(root, page), "utf8").replaceAll(/^```.*?^```$/gms, "");
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true }).map((path) => join(folder, String(path)));
}
