import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { errorCode, explainFileError, onOneLine, UserError } from "../core/errors.ts";
import { isUnpaid, type TrafficOptions } from "../core/executor.ts";
import { hashText } from "../core/hash.ts";
import type { Params } from "../core/params.ts";
import type { Decide, DeclaredStudy } from "../core/study.ts";
import type { Places } from "../dialects/check-shape.ts";
import {
  type OpenedFile,
  type PlacedStudy,
  presetParams,
  readStudies,
  readStudy,
} from "../dialects/index.ts";
import type { SourceFile } from "../dialects/source-file.ts";
import { packageDir } from "../host/environment.ts";
import { nearFile, readNamed } from "../host/files.ts";
import { sims } from "../targets/index.ts";
import { setParam } from "./set-param.ts";

/** What stands for more than itself: a class of letters, a choice of words, any letters, any one. */
const SPECIAL = /\[(!?)([^\]]+)\]|\{([^{}]*,[^{}]*)\}|\*|\?|[\\^$.+()[\]{}|]/g;

/** Which launch is meant, where each has a folder of its own. */
export interface LaunchChoice {
  isFresh?: boolean | undefined;
  /** What is to be done again is in the newest one, whether that has ended or not. */
  isRerun?: boolean | undefined;
  /** The launch to go on with, by its time. */
  stamp?: string | undefined;
}

/** Changes to a study from outside its file. */
export interface Overrides {
  params?: Params;
  seeds?: number[];
  /** This time, only the runs for which this condition holds; the study stays what it is. */
  only?: string;
  name?: string;
  outRoot?: string;
  jobs?: number;
  executor?: string;
  costUsd?: number;
  wallMs?: number;
  /** Ends the study when it is decided, precise enough, or its money is spent. */
  until?: Pick<Decide, "until" | "precise">;
  /** Where every launch is kept apart: which one is meant. */
  launch?: LaunchChoice;
  /** Whether targets that can trace their runs do; they do unless told. */
  trace?: boolean;
  traffic?: TrafficOptions;
}

/** A study as its file and the command line declare it. */
export interface LoadedStudy {
  study: Readonly<DeclaredStudy>;
  only: string | undefined;
  /** What the command line set (`-p`, `--preset`). */
  params?: Params;
  launch?: LaunchChoice;
  trace?: boolean;
  traffic?: TrafficOptions;
  places: Places;
  spec: { path: string; dialect: string; hash: string; text: string };
}

/** Reads a study file, what it extends, and applies overrides. */
export function loadStudy(named: string, overrides: Overrides = {}): LoadedStudy {
  const path = findSpec(named);
  const { declared, dialect } = readStudy(path, openNamed);
  return loaded(declared, { path, dialect, overrides });
}

/** As loadStudy, for a file that may declare several studies. */
export function loadStudies(named: string, overrides: Overrides = {}): LoadedStudy[] {
  const path = findSpec(named);
  const { declared, dialect } = readStudies(path, openNamed);
  if (declared.length > 1 && overrides.name !== undefined)
    throw new UserError("--exp-name", { expected: "a file with one study", got: `${declared.length}` });
  return declared.map((one) => loaded(one, { path, dialect, overrides }));
}

function openNamed(path: string, from?: SourceFile): OpenedFile {
  return openSource(from ? resolve(from.dir, path) : path);
}

function loaded(
  declared: PlacedStudy,
  { path, dialect, overrides }: { path: string; dialect: string; overrides: Overrides },
): LoadedStudy {
  const { text } = declared.file;
  return {
    study: override(declared.study, overrides),
    only: overrides.only,
    ...(overrides.params && { params: overrides.params }),
    ...(overrides.launch && { launch: overrides.launch }),
    ...(overrides.trace !== undefined && { trace: overrides.trace }),
    ...(overrides.traffic && { traffic: overrides.traffic }),
    places: declared.places,
    spec: { path: resolve(path), dialect, hash: hashText(text), text },
  };
}

/** A study that names a million tasks one by one is smaller. */
const MOST_BYTES = 100_000_000;

/** A YAML, TOML or JSON file; `kind` is what it is called in messages. */
function openSource(path: string, { kind = "study file" } = {}): OpenedFile {
  const full = resolve(path);
  const shown =
    isAbsolute(path) && !relative(process.cwd(), full).startsWith("..")
      ? relative(process.cwd(), full)
      : path;
  let text: string;
  try {
    if (statSync(full).isDirectory())
      throw new UserError(`${shown} is a folder, not a ${kind}`, { remedy: `Try ${shown}/study.yaml.` });
    text = readNamed(full, { mostBytes: MOST_BYTES, shown });
  } catch (error) {
    if (!["ENOENT", "ENOTDIR"].includes(errorCode(error) ?? "")) throw explainFileError(error);
    const near = nearFile(full);
    const start = kind === "study file" ? "`assay init` writes one to start from." : "";
    throw new UserError(`the ${kind} ${shown} does not exist`, {
      remedy: near === undefined ? start : `Did you mean "${near}"?`,
    });
  }
  const origin = { dir: dirname(full), callerDir: process.cwd() };
  return {
    path: shown,
    text,
    origin: { ...origin, findFolders: (pattern) => findFolders(pattern, origin) },
  };
}

/** What is replayed or scripted is no result of the study. */
function apartFrom(traffic: TrafficOptions | undefined): string {
  if (!isUnpaid(traffic)) return "";
  return traffic?.replay === undefined ? "-scripted" : "-replay";
}

function override(study: Readonly<DeclaredStudy>, overrides: Overrides): DeclaredStudy {
  const { seeds, outRoot, jobs, executor, costUsd, wallMs, traffic, until } = overrides;
  const set = Object.entries(overrides.params ?? {}).reduce(setParam, study);
  const name = overrides.name ?? set.name + apartFrom(traffic);
  if (name.includes("/") || name.startsWith(".") || name === "" || onOneLine(name) !== name) {
    throw new UserError(`the study's name "${onOneLine(name)}" can't be a folder`, {
      expected: "a name without slashes and control characters",
    });
  }
  return {
    ...set,
    name,
    artifacts: traffic ? "all" : set.artifacts,
    seeds: seeds ?? set.seeds,
    outRoot: outRoot ?? set.outRoot,
    executor: { ...set.executor, jobs: jobs ?? set.executor.jobs, kind: executor ?? set.executor.kind },
    limits: {
      ...set.limits,
      ...(costUsd !== undefined && { costUsd }),
      ...(wallMs !== undefined && { wallMs }),
    },
    analysis: until ? { ...set.analysis, decide: { ...set.analysis.decide, ...until } } : set.analysis,
  };
}

/** The parameters of a preset file: `params:` and nothing else, so that it can't change what a study asks. */
export function readPreset(path: string): Params {
  return presetParams(openSource(path, { kind: "preset file" }));
}

/** Where a file of the shipped package lies, such as `specs/memory_db_baseline.yaml`. */
export function shippedSpec(path: string): string {
  return join(packageDir(), sims.folder, path);
}

/** The names of the specs that ship. */
export function shippedSpecs(): string[] {
  const files = readdirSync(shippedSpec("specs"));
  return files.filter((file) => file.endsWith(".yaml")).map((file) => basename(file, ".yaml"));
}

/** The study file that a user names: one of their own, or else a spec that ships, by its name or by its path. */
export function findSpec(path: string): string {
  if (/^\w+$/.test(path) && !existsSync(path) && existsSync(shippedSpec(`specs/${path}.yaml`)))
    return shippedSpec(`specs/${path}.yaml`);
  const isOwn = isAbsolute(path) || existsSync(dirname(resolve(path)));
  return !isOwn && existsSync(shippedSpec(path)) ? shippedSpec(path) : path;
}

/**
 * The folders that a pattern such as `tasks/*` means: from where the command was called, from the file's folder, or from
 * the one above, whichever has some first. `*`, `?`, `[ab]` and `{a,b}` stand for parts of one name, and not for the dot that
 * hides one; `**` for any number of folders. What is a folder's very name means that one.
 */
export function findFolders(
  pattern: string,
  { dir, callerDir }: { dir: string; callerDir: string },
): string[] {
  const names = pattern.split("/");
  if (isAbsolute(pattern)) return below("/", names.slice(1), "/");
  for (const root of [callerDir, dir, dirname(dir)]) {
    const found = below(root, names, "");
    if (found.length > 0) return found;
  }
  return [];
}

function below(folder: string, [name, ...rest]: readonly string[], path: string): string[] {
  if (name === undefined) return [path.replace(/\/$/, "")];
  const isFolder = (one: string) => statSync(join(folder, one), { throwIfNoEntry: false })?.isDirectory();
  const inside = (one: string, names: readonly string[]) => below(join(folder, one), names, `${path}${one}/`);
  if (name === "**") {
    const deeper = list(folder).filter(isFolder);
    return [
      ...new Set([...below(folder, rest, path), ...deeper.flatMap((one) => inside(one, [name, ...rest]))]),
    ];
  }
  const isPattern = /[*?[{]/.test(name) && !isFolder(name);
  const names = isPattern ? list(folder).filter((one) => expression(name).test(one)) : [name];
  return names.filter(isFolder).flatMap((one) => inside(one, rest));
}

function list(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => !name.startsWith("."))
    .sort((a, b) => (a < b ? -1 : 1));
}

function expression(pattern: string): RegExp {
  const source = pattern.replaceAll(SPECIAL, (found, not?: string, letters?: string, words?: string) => {
    if (letters !== undefined) return `[${not ? "^" : ""}${letters.replaceAll(/[\\^]/g, "\\$&")}]`;
    if (words !== undefined)
      return `(?:${words
        .split(",")
        .map((word) => expression(word).source.slice(1, -1))
        .join("|")})`;
    return found === "*" ? ".*" : found === "?" ? "." : `\\${found}`;
  });
  return new RegExp(`^${source}$`);
}
