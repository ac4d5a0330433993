import { existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Where a relative path of a study points to: it is looked for from the folder that the command was called in, from the
 * study's folder, and from the one above, as in `configs/study.toml`. Undefined where none of them has it.
 */
export function findNear(path: string, baseDir: string): string | undefined {
  const places = [process.cwd(), baseDir, dirname(baseDir)].map((folder) => resolve(folder, path));
  return places.find((place) => existsSync(place));
}

/** The file of the study's that a word of a command names; undefined where it is no path, or one of something else. */
export function namedFile(word: string, baseDir: string): string | undefined {
  const mayBe = word.includes("/") && !/\$\{|:\/\//.test(word) && !word.startsWith("-");
  const found = mayBe ? findNear(word, baseDir) : undefined;
  return found !== undefined && statSync(found).isFile() ? found : undefined;
}
