import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { UserError } from "../core/errors.ts";
import { canonicalJson, shortHash } from "../core/hash.ts";
import type { CommandRef, ScorerRef, TargetRef } from "../core/study.ts";
import { namesInPattern } from "../core/watch-pattern.ts";
import { readNamed } from "../host/files.ts";
import { loadTarget } from "./load-target.ts";
import { pythonFiles } from "./python/python-files.ts";

/**
 * Which state of the program a study measures: part of every run's identity, so that results of an older
 * program are not taken for results of this one. Files that the command names by path are hashed; a program
 * that is found in PATH (an interpreter) counts by its name; `version:` overrides both.
 */
export async function fingerprint(ref: TargetRef, named: NamedFiles = NOTHING_NAMED): Promise<string> {
  if (ref.kind !== "command") {
    const target = await loadTarget(ref);
    const files = (target.fileParams ?? []).flatMap((param) => filesNamed(named, param)).flatMap(moduleFiles);
    const tasks = target.taskSetParam === undefined ? "" : hashTasks(named, target.taskSetParam);
    const beside = (files.length === 0 ? "" : `+${hashFiles(files)}`) + tasks;
    if (ref.kind === "shipped") return `${ref.name}@${target.version ?? "0"}${beside}`;
    const own = [...new Set([...moduleFiles(ref.path), ...(target.loadedFiles ?? [])])].sort();
    const member = ref.member === undefined ? "" : `:${ref.member}`;
    return `file:${hashFiles(own)}${member}${beside}`;
  }
  const words = ref.argv.map((word) => distinctWord(stableWord(word, ref.cwd))).join(" ");
  if (ref.version !== undefined) return `${words}@${distinctWord(ref.version, /^[\w.+:/-]+$/)}`;
  return `${words}#${hashFiles(commandFiles(ref))}`;
}

/** A word that can't be taken for several, or for a part of one: quoted only where it could be. */
function distinctWord(word: string, plain = /^[^\s"'\\]+$/): string {
  return plain.test(word) ? word : JSON.stringify(word);
}

/** A word of a command as it is wherever the study lies: a file counts by its content, so of its path the name is enough. */
function stableWord(word: string, cwd: string): string {
  const full = resolve(cwd, word);
  if (isFile(full)) return basename(full);
  const fromHere = relative(cwd, full);
  return isAbsolute(word) && !fromHere.startsWith("..") ? fromHere : word;
}

/**
 * The files that belong to a program: those that its command names by path, with the modules of the project that Python
 * files among them import, and those that it is said to use.
 */
export function commandFiles({ argv, cwd, watch }: CommandRef): string[] {
  const scripts = argv.filter(
    (word, i) => (i > 0 || word.includes("/")) && word !== "/usr/bin/env" && isFile(resolve(cwd, word)),
  );
  const named = scripts.map((word) => resolve(cwd, word));
  const python = [...named.filter((path) => path.endsWith(".py")), ...moduleOfPython(argv, cwd)];
  const imported = python.flatMap((path) => pythonFiles(path, [cwd])).filter((path) => !named.includes(path));
  const always = watch.filter((path) => namesInPattern(path).length === 0);
  const watched = always.map((path) => {
    const full = resolve(cwd, path);
    if (!existsSync(full)) throw new UserError(`the watched file ${path} does not exist`, { got: full });
    if (!isFile(full))
      throw new UserError(`watch: ${path} is not an ordinary file`, { expected: "a file", got: full });
    return full;
  });
  return [...new Set([...named, ...imported.sort(), ...watched])];
}

/** The file behind `python -m train.main`. */
function moduleOfPython(argv: readonly string[], cwd: string): string[] {
  const at = argv.indexOf("-m");
  if (at < 1 || !argv.slice(0, at).some((word) => /(^|\/)python[\d.]*$|^\$\{interpreter\}$/.test(word)))
    return [];
  const path = resolve(cwd, (argv[at + 1] ?? "").replaceAll(".", "/"));
  return [`${path}.py`, `${path}/__main__.py`].filter(isFile).slice(0, 1);
}

/** The files of a program and what each holds, by their names as seen from the study: to tell which one changed. */
export async function programFiles(ref: TargetRef, baseDir: string): Promise<Record<string, string>> {
  if (ref.kind === "shipped") return {};
  const files =
    ref.kind === "command"
      ? commandFiles(ref)
      : [...moduleFiles(ref.path), ...((await loadTarget(ref)).loadedFiles ?? [])];
  return Object.fromEntries(files.map((path) => [relative(baseDir, path), hashFiles([path])]));
}

/** All values that a study gives to a parameter, and the folder that paths among them are relative to. */
export interface NamedFiles {
  baseDir: string;
  valuesOf(param: string): unknown[];
  /** Whether each task has a version of its own: others' content then makes no difference to a run. */
  hasTaskVersions: boolean;
}

const NOTHING_NAMED: NamedFiles = { baseDir: ".", valuesOf: () => [], hasTaskVersions: false };

function filesNamed(named: NamedFiles, param: string): string[] {
  return pathsNamed(named, param).map(({ path, full }) => {
    if (!isFile(full)) throw missing(`${param}: the file ${path}`, full);
    return full;
  });
}

/** The content of the folders or files with tasks, for runs that do several of them. */
function hashTasks(named: NamedFiles, param: string): string {
  if (named.hasTaskVersions) return "";
  const hashes = pathsNamed(named, param).map(({ path, full }) => {
    if (!existsSync(full)) throw missing(`${param}: ${path}`, full);
    return isFile(full) ? hashFiles([full]) : hashFolder(full);
  });
  return hashes.length === 0 ? "" : ` tasks#${shortHash(hashes.join())}`;
}

function pathsNamed({ baseDir, valuesOf }: NamedFiles, param: string): { path: string; full: string }[] {
  const isPath = (value: unknown): value is string => typeof value === "string" && /^\.{0,2}\//.test(value);
  return valuesOf(param)
    .filter(isPath)
    .map((path) => ({ path, full: resolve(baseDir, path) }));
}

function missing(what: string, full: string): UserError {
  return new UserError(`${what} does not exist`, {
    got: full,
    remedy: "Paths are relative to the study file.",
  });
}

/** What an import may leave out. */
const ENDINGS = [".ts", ".js", ".mts", ".mjs", ".cts", ".cjs", ".json", "/index.ts", "/index.js"];

/** A module with the local files that it imports, and theirs. */
export function moduleFiles(entry: string): string[] {
  if (entry.endsWith(".py")) return pythonFiles(entry);
  const found = new Set<string>();
  const visit = (path: string): void => {
    if (found.has(path)) return;
    found.add(path);
    for (const [, , specifier] of readNamed(path).matchAll(
      /(from|import|require)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g,
    )) {
      const base = resolve(dirname(path), specifier!);
      const file = [base, base.replace(/js$/, "ts"), ...ENDINGS.map((ending) => base + ending)].find(isFile);
      if (file) visit(file);
    }
  };
  visit(resolve(entry));
  return [...found].sort();
}

/** Which state a module has, with the local files that it imports. */
export function hashModule(path: string): string {
  return hashFiles(moduleFiles(path));
}

function hashFiles(paths: string[]): string {
  const hash = createHash("sha256");
  for (const path of paths) hash.update(readFileSync(path)).update("\0");
  return hash.digest("hex").slice(0, 16);
}

/** Files above this count by their size and date: reading weights of a model at every start would take minutes. */
const MOST_READ = 256 << 20;

/** Which state the files have that a value of a program's parameter names; undefined where it names none. */
export function versionOfNamed(value: unknown, cwd: string): string | undefined {
  const words = (Array.isArray(value) ? value : [value]).filter((word) => typeof word === "string");
  const paths = words.map((word) => resolve(cwd, word)).filter(isFile);
  if (paths.length === 0) return undefined;
  const states = paths.map((path) => {
    const { size, mtimeMs } = statSync(path);
    return size > MOST_READ ? `${size} ${mtimeMs}` : hashFiles([path]);
  });
  return shortHash(states.join());
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

/** What tools leave behind and no task is made of. */
const SKIPPED = new Set([".git", "node_modules"]);

/** Stands for the names and the content of all files below a folder, wherever the folder is. Links are not followed. */
function hashFolder(root: string): string {
  const hash = createHash("sha256");
  const visit = (folder: string): void => {
    const entries = readdirSync(join(root, folder), { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) visit(path);
      if (!entry.isFile()) continue;
      const bytes = readFileSync(join(root, path));
      // The length keeps one file's content from being taken for the next one's name.
      hash.update(`${path}\0${bytes.length}\0`).update(bytes);
    }
  };
  visit("");
  return hash.digest("hex").slice(0, 16);
}

/** Which state each scorer has: its program with the files that belong to it, or what a judge is asked. */
export async function scorerVersions(scorers: readonly ScorerRef[] = []): Promise<Record<string, string>> {
  const versions = scorers.map(async ({ name, by }): Promise<[string, string]> => {
    if (by.kind === "judge") return [name, shortHash(canonicalJson({ ...by }))];
    if (by.kind === "file") {
      if (!existsSync(by.path)) throw new UserError(`the scorer ${by.path} does not exist`);
      return [name, hashModule(by.path)];
    }
    const { folder = "", metrics = {} } = by;
    return [name, shortHash(canonicalJson([await fingerprint(by), folder, metrics]))];
  });
  return Object.fromEntries(await Promise.all(versions));
}
