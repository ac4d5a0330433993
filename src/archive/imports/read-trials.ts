import { basename, relative, resolve, sep } from "node:path";
import { errorCode, errorText, UserError } from "../../core/errors.ts";
import { suggestion } from "../../core/suggest.ts";
import { walkFiles } from "../walk-files.ts";
import { FoundFile } from "./found-file.ts";
import { BrokenImport, type ImportedTrial, type ImportReader } from "./import-reader.ts";
import { importReaders } from "./index.ts";

export interface ReadTrial {
  format: string;
  trial: ImportedTrial;
  /** The folder below what was imported that it was found in; the imported folder's own name where there is none. */
  system: string;
  /** When its file was written: the best that is known of the time where the file itself says nothing. */
  writtenAtMs: number;
}

/** Trials of all paths; of what can't be read, one line each with its file. */
export interface ReadTrials {
  trials: ReadTrial[];
  warnings: string[];
}

/** Every trial below the paths, each once: of two files about the same trial, the one that tells more counts. */
export function readTrials(paths: readonly string[], { format }: { format?: string } = {}): ReadTrials {
  const readers = readersOf(format);
  const byKey = new Map<string, ReadTrial>();
  const warnings: string[] = [];
  for (const path of paths) {
    let claimed = 0;
    for (const found of walkFiles(path, "result file")) {
      const file = new FoundFile(found);
      const reader = readers.find((candidate) => candidate.claims(file));
      if (!reader) continue;
      claimed++;
      for (const item of readSafely(reader, file)) {
        if ("problem" in item) warnings.push(`${relative(process.cwd(), found) || found}: ${item.problem}`);
        else
          keep(byKey, {
            ...{ format: reader.name, trial: item, writtenAtMs: file.writtenAtMs() },
            system: relative(path, found).split(sep).slice(0, -1)[0] ?? basename(resolve(path)),
          });
      }
    }
    if (claimed === 0) throw nothingFound(path, readers);
  }
  const trials = [...byKey.values()];
  return { trials: keptApart(trials, warnings), warnings };
}

/**
 * Trials of several folders whose model nobody names may be of different systems: their folders stand for the model then,
 * since systems that were merged can't be told apart again.
 */
function keptApart(trials: readonly ReadTrial[], warnings: string[]): ReadTrial[] {
  const folders = new Map<string, Set<string>>();
  const groupOf = ({ format, trial }: ReadTrial) => JSON.stringify([format, trial.agent]);
  for (const read of trials) {
    if (isNamed(read)) continue;
    const group = groupOf(read);
    folders.set(group, (folders.get(group) ?? new Set()).add(read.system));
  }
  for (const names of folders.values())
    if (names.size > 1)
      warnings.push(
        `no model is named in ${[...names].slice(0, 5).join(", ")}${names.size > 5 ? ` and ${names.size - 5} more` : ""}: these folders stand for it`,
      );
  return trials.map((read) =>
    !isNamed(read) && (folders.get(groupOf(read))?.size ?? 0) > 1
      ? { ...read, trial: { ...read.trial, model: read.system } }
      : read,
  );
}

function isNamed({ trial }: ReadTrial): boolean {
  return trial.model !== null || trial.params !== undefined;
}

function readersOf(format: string | undefined): readonly ImportReader[] {
  if (format === undefined) return importReaders;
  const chosen = importReaders.filter(({ name }) => name === format);
  if (chosen.length > 0) return chosen;
  const names = [...new Set(importReaders.map(({ name }) => name))];
  throw new UserError(`--format ${format}`, {
    expected: `one of ${names.join(", ")}`,
    remedy: suggestion(format, names),
  });
}

function* readSafely(reader: ImportReader, file: FoundFile): ReturnType<ImportReader["read"]> {
  try {
    yield* reader.read(file);
  } catch (error) {
    if (!(error instanceof BrokenImport) && errorCode(error) === undefined) throw error;
    yield { problem: errorText(error) };
  }
}

function keep(byKey: Map<string, ReadTrial>, read: ReadTrial): void {
  const key = `${read.format} ${read.trial.key}`;
  const before = byKey.get(key);
  const told = ({ trial }: ReadTrial) => Object.keys(trial.metrics).length + (trial.trajectory ? 1 : 0);
  if (before === undefined || told(read) > told(before)) byKey.set(key, read);
}

function nothingFound(path: string, readers: readonly ImportReader[]): UserError {
  const known = readers.map(({ name, looksFor }) => `${name} (${looksFor})`).join("; ");
  return new UserError(`${path}: there are no results of a known format`, {
    remedy: `Looked for ${known}.`,
  });
}
