import { readText } from "../../host/files.ts";

/**
 * The text of an ordinary file that somebody else left; undefined where there is none, where it is a link, a pipe or a
 * device, or where it is larger than it should be.
 */
export function readPlainFile(path: string, mostBytes: number): string | undefined {
  try {
    return readText(path, { mostBytes, isForeign: true });
  } catch {
    return undefined;
  }
}
