import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const dist = new URL("../../dist/", import.meta.url);
const textOf = (name: string) => readFileSync(new URL(name, dist), "utf8");
const importsOf = (name: string) =>
  [...textOf(name).matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g)].map((match) => match[1]!);

/** All files that are loaded with one; fails where two need each other, as one would run before what it needs. */
function loadedWith(name: string, above: string[] = [], found = new Set<string>()): Set<string> {
  expect(above, name).not.toContain(name);
  if (found.has(name)) return found;
  found.add(name);
  for (const one of new Set(importsOf(name))) loadedWith(one, [...above, name], found);
  return found;
}

test("a command opens few files, and no two of them need each other", () => {
  const program = [...loadedWith("cli.js")];
  const commands = program.flatMap((name) =>
    [...textOf(name).matchAll(/import\("\.\/((run|plan|status|compare)-\w+\.js)"\)/g)].map(
      (match) => match[1]!,
    ),
  );
  expect(commands.length).toBeGreaterThanOrEqual(4);
  for (const name of commands) expect(new Set([...program, ...loadedWith(name)]).size, name).toBeLessThan(70);
});
