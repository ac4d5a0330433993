import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Where a relative path of a study points to: it is looked for from the folder that the command was called in, from the
 * study's folder, and from the one above, as in `configs/study.toml`. Undefined where none of them has it.
 */
export function findNear(path: string, baseDir: string): string | undefined {
  const places = [process.cwd(), baseDir, dirname(baseDir)].map((folder) => resolve(folder, path));
  return places.find((place) => existsSync(place));
}
