import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { writerName } from "../archive/notes.ts";
import { latestRecords, readStudyFile } from "../archive/read-records.ts";
import { UserError } from "../core/errors.ts";
import { runDir, STUDY_FILES, titleOf } from "../core/study-folder.ts";
import type { Warning } from "../core/warning.ts";
import type { Depot } from "../depots/depot.ts";
import { bundleFolder, type Push, readPushes, sealPush, sha256 } from "../depots/push.ts";
import { listEntries, packArchive } from "../fleet/files/archive.ts";
import { sumFolder } from "../fleet/files/folder-route.ts";
import { PROGRAM_VERSION } from "../host/environment.ts";

export interface PushRequest {
  /** Folders of runs, too; without, only records. */
  hasFiles: boolean;
  /** Sends also what the place has already. */
  isAll?: boolean;
  onProgress?: (progress: Transfer) => void;
  signal?: AbortSignal;
}

/** How far it is. */
export interface Transfer {
  done: number;
  total: number;
  bytes: number;
}

export interface PushSummary {
  study: string;
  place: string;
  runs: number;
  /** Bundles that were sent, with their bytes as sent, and that the place had already. */
  sent: number;
  bytes: number;
  known: number;
  warnings: Warning[];
}

/** Parts of the journal are cut after this many bytes: a longer journal begins with the same parts. */
const PART_BYTES = 1 << 20;
/** Beside files of lines: what else a study says about itself. */
const WHOLE_FILES = [
  STUDY_FILES.study,
  STUDY_FILES.plan,
  STUDY_FILES.manifest,
  STUDY_FILES.runList,
] as string[];
const FOLDERS = [STUDY_FILES.services, STUDY_FILES.taskResults] as string[];
const AT_ONCE = 4;
const MOST_TRIES = 3;

/** Sends what a place doesn't have of a study; also while it runs: what has ended by then. */
export async function pushStudy(
  studyDir: string,
  depot: Depot,
  { hasFiles, isAll = false, onProgress, signal }: PushRequest,
): Promise<PushSummary> {
  const journal = wholeLines(studyDir);
  readStudyFile(studyDir);
  const title = titleOf(studyDir);
  const temp = mkdtempSync(join(tmpdir(), "assay-push-"));
  try {
    const known = isAll ? new Set<string>() : new Set(await depot.list(bundleFolder(title)));
    const sender = new Sender(depot, { folder: bundleFolder(title), known, temp });
    const lengths: Push["lengths"] = { [STUDY_FILES.journal]: lengthOf(journal) };
    const parts = cutParts(journal).map((part, i) =>
      writeFile(`${temp}/part${i}`, STUDY_FILES.journal, part),
    );
    const records = `${temp}/records`;
    mkdirSync(records);
    for (const name of smallFiles(studyDir)) {
      const content = readFileSync(`${studyDir}/${name}`);
      writeFile(records, name, content);
      if (name.endsWith(".jsonl")) lengths[name] = lengthOf(content);
    }
    const folders = hasFiles ? foldersOf(studyDir) : [];
    const total = parts.length + 1 + folders.length;
    const tell = () => onProgress?.({ done: sender.done, total, bytes: sender.bytes });
    const send = async (dir: string) => {
      signal?.throwIfAborted();
      const sent = await sender.send(dir);
      tell();
      return sent;
    };
    tell();
    const journalParts: string[] = [];
    for (const part of parts) journalParts.push((await send(part))!.bundle);
    const recordsBundle = (await send(records))!.bundle;
    const files: NonNullable<Push["files"]> = {};
    await severalAtOnce(folders, async (path) => {
      const sent = await send(`${studyDir}/${path}`);
      if (sent) files[path] = sent;
      else sender.notSent(path, "it is being written");
    });
    const runs = latestRecords(studyDir).length;
    const push: Push = {
      ...{ format: 1, study: title, at: new Date().toISOString(), by: writerName(), host: hostname() },
      ...{ version: PROGRAM_VERSION, runs, journal: journalParts, records: recordsBundle, lengths },
      ...(hasFiles && { files: Object.fromEntries(Object.entries(files).sort()) }),
    };
    signal?.throwIfAborted();
    await publish(depot, push, { studyDir, temp });
    const { sent, bytes, known: had, warnings } = sender;
    return { study: title, place: depot.label, runs, sent, bytes, known: had, warnings };
  } finally {
    rmSync(temp, { recursive: true, force: true });
  }
}

/** Last of all, so that nobody sees a push of which something is missing. What it holds all of goes. */
async function publish(
  depot: Depot,
  push: Push,
  { studyDir, temp }: { studyDir: string; temp: string },
): Promise<void> {
  const before = await readPushes(depot, push.study);
  const { name, content, sha256: hash } = sealPush(push);
  const path = `${temp}/push.json`;
  writeFileSync(path, content);
  await depot.put(name, path, { sha256: hash, bytes: content.length });
  for (const earlier of before)
    if (earlier.name !== name && holds(push, earlier.push, studyDir)) await depot.delete(earlier.name);
}

/** Whether a push says everything that an earlier one said: its lines begin with the earlier one's. */
function holds(push: Push, earlier: Push, studyDir: string): boolean {
  const beginsAlike = Object.entries(earlier.lengths).every(([name, { bytes, sha256: hash }]) => {
    const now = push.lengths[name];
    return (
      now !== undefined &&
      now.bytes >= bytes &&
      sha256(readFileSync(`${studyDir}/${name}`).subarray(0, bytes)) === hash
    );
  });
  const paths = Object.keys(earlier.files ?? {});
  return beginsAlike && paths.every((path) => push.files?.[path] !== undefined);
}

class Sender {
  readonly #depot: Depot;
  readonly #folder: string;
  readonly #known: Set<string>;
  readonly #temp: string;
  #count = 0;
  sent = 0;
  bytes = 0;
  known = 0;
  warnings: Warning[] = [];

  constructor(depot: Depot, { folder, known, temp }: { folder: string; known: Set<string>; temp: string }) {
    this.#depot = depot;
    this.#folder = folder;
    this.#known = known;
    this.#temp = temp;
  }

  get done(): number {
    return this.sent + this.known;
  }

  notSent(path: string, why: string): void {
    this.warnings.push({ kind: "not-sent", level: "warn", text: `${path} was not sent: ${why}` });
  }

  /** A folder as a bundle, named for the names and contents of its files; undefined where it keeps changing. */
  async send(dir: string): Promise<{ bundle: string; bytes: number } | undefined> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const { sha256: sum, bytes } = await sumFolder(dir);
      const name = this.#folder + sum;
      if (this.#known.has(name)) {
        this.known++;
        return { bundle: sum, bytes };
      }
      const archive = `${this.#temp}/archive${this.#count++}`;
      const { entries, omitted } = listEntries(dir);
      const packed = await packArchive(dir, entries, { archive });
      // A run that is being done again writes into its folder: then what was packed is neither the old nor the new.
      if ((await sumFolder(dir)).sha256 === sum) {
        const left = [...omitted, ...packed!.omitted];
        for (const { path, why } of left) this.notSent(`${dir}/${path}`, why);
        await this.#depot.put(name, archive, packed!.facts);
        this.#known.add(name);
        this.sent++;
        this.bytes += packed!.facts.bytes;
        rmSync(archive);
        return { bundle: sum, bytes };
      }
      rmSync(archive);
    }
    return undefined;
  }
}

/** The journal up to its last whole line. */
function wholeLines(studyDir: string): Buffer {
  const path = `${studyDir}/${STUDY_FILES.journal}`;
  if (!statSync(path, { throwIfNoEntry: false })?.isFile())
    throw new UserError(`${studyDir} has no journal, so there is nothing to push`, {
      remedy: "`assay run` makes one; results of other tools become a study by `assay import`.",
    });
  const content = readFileSync(path);
  return content.subarray(0, content.lastIndexOf(10) + 1);
}

function cutParts(journal: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let start = 0; start < journal.length; ) {
    const from = Math.min(start + PART_BYTES, journal.length - 1);
    const end = journal.indexOf(10, from) + 1;
    parts.push(journal.subarray(start, end));
    start = end;
  }
  return parts;
}

function lengthOf(content: Buffer): { bytes: number; sha256: string } {
  return { bytes: content.length, sha256: sha256(content) };
}

function writeFile(dir: string, name: string, content: Buffer): string {
  mkdirSync(dir, { recursive: true });
  writeFileSync(`${dir}/${name}`, content);
  return dir;
}

function smallFiles(studyDir: string): string[] {
  return readdirSync(studyDir, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .filter(
      (name) => WHOLE_FILES.includes(name) || (name.endsWith(".jsonl") && name !== STUDY_FILES.journal),
    );
}

/** Folders with files of runs that have ended, of what scored them, and of what stood beside them. */
function foldersOf(studyDir: string): string[] {
  const runs = latestRecords(studyDir).map(({ id }) => runDir("", id).slice(1));
  const scorers = namesIn(`${studyDir}/${STUDY_FILES.scores}`);
  const scored = scorers.flatMap((scorer) => runs.map((path) => `${STUDY_FILES.scores}/${scorer}/${path}`));
  return [...runs, ...scored, ...FOLDERS].filter((path) => isFolder(`${studyDir}/${path}`));
}

function namesIn(dir: string): string[] {
  return isFolder(dir) ? readdirSync(dir) : [];
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

export async function severalAtOnce<T>(all: readonly T[], act: (one: T) => Promise<void>): Promise<void> {
  const left = all.values();
  const work = async () => {
    for (const one of left) await act(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
