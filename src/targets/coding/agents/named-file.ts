import { statSync } from "node:fs";
import { findNear } from "../find-near.ts";

/** The file of the study's that a word of a command names; undefined where it is no path, or one of something else. */
export function namedFile(word: string, baseDir: string): string | undefined {
  const mayBe = word.includes("/") && !/\$\{|:\/\//.test(word) && !word.startsWith("-");
  const found = mayBe ? findNear(word, baseDir) : undefined;
  return found !== undefined && statSync(found).isFile() ? found : undefined;
}
