import { lstatSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, normalize, sep } from "node:path";

/**
 * Writes a file of the grader's into a copy that a patch went into. Whatever stands in its way there (a link to another
 * place, a folder of its name, a file where a folder should be) is the patch's and gives way, so nothing is ever written
 * outside of the copy.
 */
export function placeFile(root: string, path: string, content: string | Uint8Array): void {
  const parts = normalize(path)
    .split(sep)
    .filter((part) => part !== "" && part !== ".");
  if (parts.length === 0 || parts.includes(".."))
    throw new Error(`${path} is not a path inside the repository`);
  let place = root;
  for (const folder of parts.slice(0, -1)) {
    place = join(place, folder);
    const stats = lstatSync(place, { throwIfNoEntry: false });
    if (stats?.isDirectory()) continue;
    if (stats) rmSync(place);
    mkdirSync(place);
  }
  const file = join(place, parts.at(-1)!);
  rmSync(file, { recursive: true, force: true });
  writeFileSync(file, content, { mode: 0o755 });
}
