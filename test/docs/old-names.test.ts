import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { OLD_NAMES } from "../../src/cli/old-names.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** Those that tell what something was called once. */
const TELLING = ["CHANGELOG.md", "docs/reference/commands.md", "src/cli/old-names.ts"];
const files = readdirSync(root)
  .concat(["docs", "examples", "src"].flatMap(filesBelow))
  .filter((path) => /\.(md|ts)$/.test(path) && !TELLING.includes(path));

const patterns = OLD_NAMES.map(([old]) => {
  const [first, ...rest] = old.split(" ");
  // Other programs have such options, too: an option counts where it stands behind a command of Assay's.
  const [command, option] = old.startsWith("--") ? ["assay \\w+", old] : [`${first} ${rest[0]}`, rest[1]];
  return new RegExp(`${command}${option === undefined ? "" : `\\b.* ${option}`}(?![\\w.-])`);
});

test("an old name of a command or option is nowhere but on the page that lists them", () => {
  const found = files.flatMap((path) =>
    readFileSync(join(root, path), "utf8")
      .split("\n")
      .flatMap((line, i) =>
        patterns.some((pattern) => pattern.test(line)) ? [`${path}:${i + 1} ${line}`] : [],
      ),
  );
  expect(found).toEqual([]);
});

test("each old name is noticed", () => {
  for (const [i, [old]] of OLD_NAMES.entries())
    expect(old.startsWith("--") ? `assay report my-study ${old} x` : `\`${old} x\``).toMatch(patterns[i]!);
});

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map(
    (path) => `${folder}/${path}`,
  );
}
