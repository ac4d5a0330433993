import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/**
 * The text of an ordinary file that somebody else left; undefined where there is none, where it is a link, a pipe or a
 * device, or where it is larger than it should be.
 */
export function readPlainFile(path: string, mostBytes: number): string | undefined {
  let file: number | undefined;
  try {
    // A pipe would block, and a link may point anywhere.
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = fstatSync(file);
    return stats.isFile() && stats.size <= mostBytes ? readFileSync(file, "utf8") : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
