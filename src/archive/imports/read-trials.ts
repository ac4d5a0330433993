import { basename, relative, resolve, sep } from "node:path";
import { errorCode, errorText, UserError } from "../../core/errors.ts";
import { ownMembers } from "../../core/family.ts";
import { suggestion } from "../../core/suggest.ts";
import type { Warning } from "../../core/warning.ts";
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

/** Trials of all paths; of each file that can't be read, a warning that names it. */
export interface ReadTrials {
  trials: ReadTrial[];
  warnings: Warning[];
}

/** Every trial below the paths, each once: of two files about the same trial, the one that tells more counts. */
export function readTrials(
  paths: readonly string[],
  { format, by }: { format?: string; by?: ImportBy } = {},
): ReadTrials {
  const readers = readersOf(format);
  const byKey = new Map<string, ReadTrial>();
  const warnings: Warning[] = [];
  for (const path of paths) {
    let claimed = 0;
    for (const found of walkFiles(path, "result file")) {
      const file = new FoundFile(found);
      const reader = readers.find((candidate) => candidate.claims(file));
      if (!reader) continue;
      claimed++;
      for (const item of readSafely(reader, file)) {
        if ("problem" in item) {
          const text = `${relative(process.cwd(), found) || found}: ${item.problem}`;
          warnings.push({ kind: "unreadable", level: "warn", text });
        } else {
          const system = relative(path, found).split(sep).slice(0, -1)[0] ?? basename(resolve(path));
          const read = { format: reader.name, trial: item, writtenAtMs: file.writtenAtMs(), system };
          keep(byKey, by === "folder" ? byFolder(read) : read);
        }
      }
    }
    if (claimed === 0) throw nothingFound(path, readers);
  }
  const trials = [...byKey.values()];
  return { trials: keptApart(trials, warnings), warnings };
}

/** "folder": each folder right below what is imported holds one system, whatever the files in it say. */
export type ImportBy = "folder";

function byFolder(read: ReadTrial): ReadTrial {
  const { agent, model, params, key } = read.trial;
  const named = params ?? { agent: agent ?? UNKNOWN, model: model ?? UNKNOWN };
  // A copy of the same results in another folder is another system's.
  const trial = { ...read.trial, params: { ...named, system: read.system }, key: `${read.system}/${key}` };
  return { ...read, trial };
}

/** Stands for what no file says. */
export const UNKNOWN = "unknown";

/**
 * Trials of several folders whose model nobody names may be of different systems: their folders stand for the model then,
 * since systems that were merged can't be told apart again.
 */
function keptApart(trials: readonly ReadTrial[], warnings: Warning[]): ReadTrial[] {
  const folders = new Map<string, Set<string>>();
  const groupOf = ({ format, trial }: ReadTrial) => JSON.stringify([format, trial.agent]);
  for (const read of trials) {
    if (isNamed(read)) continue;
    const group = groupOf(read);
    folders.set(group, (folders.get(group) ?? new Set()).add(read.system));
  }
  for (const names of folders.values())
    if (names.size > 1)
      warnings.push({
        kind: "unnamed-model",
        level: "warn",
        text: `no model is named in ${[...names].slice(0, 5).join(", ")}${names.size > 5 ? ` and ${names.size - 5} more` : ""}: these folders stand for it`,
      });
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
  // What a user wrote knows its files better than what ships.
  const all = [...ownMembers<ImportReader>("importer"), ...importReaders];
  if (format === undefined) return all;
  const chosen = all.filter(({ name }) => name === format);
  if (chosen.length > 0) return chosen;
  const names = [...new Set(all.map(({ name }) => name))];
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

/** More than everything else that a file can tell. */
const VERDICT = 1000;

function keep(byKey: Map<string, ReadTrial>, read: ReadTrial): void {
  const key = `${read.format} ${read.trial.key}`;
  const before = byKey.get(key);
  const told = ({ trial: { metrics, trajectory } }: ReadTrial) =>
    Object.keys(metrics).length + (trajectory ? 1 : 0) + (metrics.score === undefined ? 0 : VERDICT);
  if (before === undefined || told(read) > told(before)) byKey.set(key, read);
}

function nothingFound(path: string, readers: readonly ImportReader[]): UserError {
  const known = readers.map(({ name, looksFor }) => `${name} (${looksFor})`).join("; ");
  return new UserError(`${path}: there are no results of a known format`, {
    remedy: `Looked for ${known}.`,
  });
}
