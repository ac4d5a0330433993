import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { UserError } from "../../core/errors.ts";
import type { Setting } from "../../core/executor.ts";
import type { Params } from "../../core/params.ts";
import type { Run } from "../../core/run.ts";
import type { CommandRef } from "../../core/study.ts";
import { fillPattern, namesInPattern } from "../../core/watch-pattern.ts";
import { commandFiles, moduleFiles } from "../../targets/fingerprint.ts";
import { listEntries } from "../files/archive.ts";
import type { CodeFile, CodeManifest } from "./code-manifest.ts";

/** All files of a study together: code, not data. */
const MOST_BYTES = 16 * 1024 * 1024;

export interface PackedCode {
  manifest: CodeManifest;
  /** Contents by SHA-256. */
  blobs: Map<string, Buffer>;
}

/** What a worker needs of a study's own files: its module or scripts, their local imports, its instruments. */
export function packCode(
  setting: Setting,
  named: readonly string[] = [],
  data: Iterable<string> = [],
): PackedCode {
  const { target, baseDir, plugins } = setting;
  const modules = [
    ...(target.kind === "file" ? [target.path] : []),
    ...plugins,
    ...named.filter(isFile),
  ].flatMap(moduleFiles);
  const folders = named.filter((path) => !isFile(path));
  const inFolders = folders.flatMap((dir) => listEntries(dir).entries.map(({ path }) => join(dir, path)));
  const commands = commandsOf(setting);
  const programs = commands.flatMap(commandFiles);
  const paths = [
    ...new Set([...modules, ...inFolders, ...programs, ...data].map((path) => resolve(path))),
  ].sort();
  const places = [baseDir, ...commands.map(({ cwd }) => cwd), ...paths.map(dirname)];
  const root = commonFolder(places.map((folder) => resolve(folder)));
  const blobs = new Map<string, Buffer>();
  let bytes = 0;
  const files = paths.map((path): CodeFile => {
    const content = readFileSync(path);
    bytes += content.length;
    const sha256 = createHash("sha256").update(content).digest("hex");
    blobs.set(sha256, content);
    return { path: relative(root, path), sha256, isExecutable: isExecutable(path) };
  });
  if (bytes > MOST_BYTES) {
    throw new UserError(
      `the study's own files are ${Math.ceil(bytes / 1e6)} MB, too much to send to workers`,
      {
        expected: "at most 16 MB of code",
        remedy: "Keep data out of the module and its imports, in a folder that all machines share.",
      },
    );
  }
  const packages = packagesOf(modules);
  const manifest = { root, base: relative(root, resolve(baseDir)), files, packages };
  return { manifest: { ...manifest, lock: packages.length > 0 ? lockOf(baseDir) : null }, blobs };
}

/** The programs that a worker starts for a study. */
function commandsOf({ target, services = [] }: Setting): CommandRef[] {
  return [
    ...(target.kind === "command" ? [target] : []),
    ...services.flatMap(({ by, reset }) => (reset ? [by, reset] : [by])),
  ];
}

/** Values of the parameters that may name files which belong to the program. */
export function filesNamed(params: Params, names: readonly string[], baseDir: string): string[] {
  return names.flatMap((name) => {
    const value = params[name];
    return typeof value === "string" && /^\.{0,2}\//.test(value) ? [resolve(baseDir, value)] : [];
  });
}

/** Larger ones are data that the machines share: workers are expected to have them. */
const MOST_DATA_BYTES = 1 << 20;

/** Files beside the study that a program's run names by its parameters, its task or a watched pattern: prompts, configurations. */
export function dataNamed({ params, task }: Run, { cwd, watch }: CommandRef, baseDir: string): string[] {
  const patterns = watch.filter((path) => namesInPattern(path).length > 0);
  const words = [
    ...Object.values(params).flat(),
    task,
    ...patterns.map((path) => fillPattern(path, { ...params, task })),
  ];
  return words.flatMap((word) => {
    const path =
      typeof word === "string" && word !== "" && !isAbsolute(word) ? resolve(cwd, word) : undefined;
    if (path === undefined || relative(baseDir, path).startsWith("..")) return [];
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() && stats.size <= MOST_DATA_BYTES ? [path] : [];
  });
}

/** The nearest lock file above a folder, or else the nearest package.json. */
export function lockOf(dir: string): CodeManifest["lock"] {
  for (const name of ["package-lock.json", "package.json"]) {
    for (let folder = resolve(dir); ; folder = dirname(folder)) {
      const path = join(folder, name);
      if (existsSync(path))
        return { name, sha256: createHash("sha256").update(readFileSync(path)).digest("hex") };
      if (dirname(folder) === folder) break;
    }
  }
  return null;
}

/** Packages that these modules import by name; Node's own and Assay's are everywhere. */
function packagesOf(paths: readonly string[]): string[] {
  const found = new Set<string>();
  const imported = /(?:from|import|require)\s*\(?\s*["']((?:@[\w.-]+\/)?[\w-][\w.-]*)(?:\/[^"']*)?["']/g;
  for (const path of paths.filter((path) => !path.endsWith(".json"))) {
    for (const [, name] of readFileSync(path, "utf8").matchAll(imported)) {
      if (!builtinModules.includes(name!) && name !== "node" && name !== "assay") found.add(name!);
    }
  }
  return [...found].sort();
}

function commonFolder([first, ...others]: string[]): string {
  let folder = first!;
  while (!others.every((other) => other === folder || other.startsWith(folder === sep ? sep : folder + sep)))
    folder = dirname(folder);
  return folder;
}

function isFile(path: string): boolean {
  return statSync(path).isFile();
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
