import { type ImportBy, type ReadTrial, readTrials } from "../../../src/archive/imports/read-trials.ts";
import { TempFolder } from "../../support/temp-folder.ts";

/** What is read from a folder with these files, and the texts of the warnings; content that is neither text nor bytes is written as JSON. */
export function readFiles(
  files: Record<string, unknown>,
  options: { by?: ImportBy } = {},
): { trials: ReadTrial[]; warnings: string[] } {
  using folder = new TempFolder();
  for (const [path, content] of Object.entries(files)) {
    const isRaw = typeof content === "string" || content instanceof Uint8Array;
    folder.write(path, isRaw ? content : JSON.stringify(content, null, 2));
  }
  const { trials, warnings } = readTrials([folder.path], options);
  return { trials, warnings: warnings.map(({ text }) => text) };
}
