import * as z from "zod";
import { splitWords } from "../core/command-line.ts";
import { UserError } from "../core/errors.ts";
import type { CommandRef } from "../core/study.ts";
import { below, folderName } from "./named-file.ts";
import type { SourceFile } from "./source-file.ts";

const text = z.string().min(1);

export const pattern = text.refine(isPattern, {
  error: "a regular expression such as 'accuracy: ([0-9.]+)'",
});

export const command = z.strictObject({
  command: z
    .union([text, z.array(z.union([z.string(), z.number().transform(String)])).min(1)], {
      error: "a command line such as 'python3 train.py ${args}', or the list of its words",
    })
    .describe(
      "Program and arguments, as one line or as a list. ${args} stands for all parameters as --key value, ${name} for one of them, ${seed}, ${out_dir}, ${run_id}, ${flags} as named. No shell is involved.",
    ),
  cwd: text
    .optional()
    .describe("Folder to run in, relative to the study file. Default: the study file's folder."),
  worker: z
    .boolean()
    .optional()
    .describe("One process does many runs: a JSON line in for each, a JSON line out with its metrics."),
  watch: z
    .array(text)
    .optional()
    .describe(
      "More files whose change makes every run new; one that names a parameter or ${task}, such as configs/${model}.json, only the runs that have it.",
    ),
  version: z
    .union([text, z.number().transform(String)])
    .optional()
    .describe("The program's version as you state it, instead of a hash of its files."),
  metrics: z
    .record(text, pattern)
    .optional()
    .describe(
      "Metrics that the program prints, each with a regular expression: 'accuracy: ([0-9.]+)'. The last match in stdout counts, by its first group. A run that prints none has failed.",
    ),
});

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, "gm").global;
  } catch {
    return false;
  }
}

/** A command's words, where it is one line, too. */
export function argvOf(words: string | string[], file: SourceFile, path: (string | number)[]): string[] {
  if (typeof words !== "string") return words;
  try {
    return splitWords(words);
  } catch (error) {
    throw error instanceof UserError ? error.at(file.locate(path)) : error;
  }
}

/** A program as a study file names it, at `path`. */
export function commandRef(
  { command: words, cwd, watch = [], version, metrics, worker }: z.output<typeof command>,
  file: SourceFile,
  path: (string | number)[],
): CommandRef {
  const dir = file.dirOf([...path, cwd === undefined ? "command" : "cwd"]);
  const ref: CommandRef = {
    kind: "command",
    argv: argvOf(words, file, [...path, "command"]),
    cwd: cwd ? below(dir, cwd) : dir,
    watch,
  };
  const folder = folderName(dir, cwd ?? "");
  if (folder !== "") ref.folder = folder;
  if (version !== undefined) ref.version = version;
  if (metrics !== undefined) ref.metrics = metrics;
  if (worker) ref.isWorker = true;
  return ref;
}
