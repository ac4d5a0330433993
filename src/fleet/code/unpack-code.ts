import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { errorText } from "../../core/errors.ts";
import type { Setting } from "../../core/executor.ts";
import type { CommandRef, TargetRef } from "../../core/study.ts";
import { findProgram } from "../../targets/command/find-program.ts";
import type { Store } from "../broker/store.ts";
import { Refusal } from "../envelope.ts";
import { KEYS, type StudyMessage } from "../protocol.ts";
import { safePath } from "../safe-path.ts";
import type { CodeManifest } from "./code-manifest.ts";
import { lockOf } from "./pack-code.ts";

/** This worker can't run a study, and why; another one may. */
export class Lack extends Error {
  override name = "Lack";
}

/** Writes a study's own files below `dir`, checked, and gives its setting as it is on this machine. */
export async function unpackCode(
  { setting, code }: StudyMessage,
  { dir, store }: { dir: string; store: Store },
): Promise<Pick<Setting, "target" | "baseDir" | "plugins" | "services">> {
  const places = code.files.map((file) => ({ file, path: safePath(dir, file.path) }));
  const base = code.base === "" ? dir : safePath(dir, code.base);
  const isInPlace = setting.target.kind !== "file" && isShared(code);
  const move = (path: string) => (isInPlace ? path : moved(path, code, dir));
  if (!isInPlace) {
    mkdirSync(base, { recursive: true });
    for (const { file, path } of places) {
      const content = await store.get(KEYS.blob(file.sha256));
      if (!content) throw new Lack(`the file ${file.path} is not in the queue's store`);
      if (hashOf(content) !== file.sha256)
        throw new Refusal("content", `the file ${file.path} is not what the study's hash says`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content, { mode: file.isExecutable ? 0o755 : 0o644 });
    }
    linkPackages(code, dir);
  }
  const target = placeTarget(setting.target, move);
  const services = setting.services?.map(({ by, reset, ...service }) => ({
    ...service,
    by: placeCommand(by, move),
    ...(reset && { reset: placeCommand(reset, move) }),
  }));
  const programs = services?.flatMap(({ by, reset }) => (reset ? [by, reset] : [by])) ?? [];
  for (const { argv, cwd } of target.kind === "command" ? [target, ...programs] : programs) {
    if (!isInPlace) mkdirSync(cwd, { recursive: true });
    try {
      findProgram(argv[0]!, cwd);
    } catch (error) {
      throw new Lack(errorText(error));
    }
  }
  return {
    target,
    baseDir: isInPlace ? resolve(code.root, code.base) : base,
    plugins: setting.plugins.map(move),
    ...(services && { services }),
  };
}

function placeTarget(target: TargetRef, move: (path: string) => string): TargetRef {
  if (target.kind === "shipped") return target;
  if (target.kind === "file") return { ...target, path: move(target.path) };
  return placeCommand(target, move);
}

/** Words that name files by their whole path move with them; relative ones follow the folder. */
function placeCommand(command: CommandRef, move: (path: string) => string): CommandRef {
  const argv = command.argv.map((word) => (word.startsWith("/") ? move(word) : word));
  return { ...command, argv, cwd: move(command.cwd) };
}

/** Where a path of the coordinator's is here. What lies outside of the study's files stays as it is. */
function moved(path: string, { root }: CodeManifest, dir: string): string {
  const inside = relative(root, path);
  return inside.startsWith("..") || inside.startsWith("/") ? path : join(dir, inside);
}

/** Whether the very files are here at the same places: a folder that all machines share. */
function isShared({ root, files }: CodeManifest): boolean {
  return (
    existsSync(root) &&
    files.every(({ path, sha256 }) => {
      const full = safePath(root, path);
      return existsSync(full) && hashOf(readFileSync(full)) === sha256;
    })
  );
}

/** Packages are not sent: the worker's own are used, when they are of the same versions. */
function linkPackages({ packages, lock }: CodeManifest, dir: string): void {
  if (packages.length === 0) return;
  const own = lockOf(process.cwd());
  if (lock && own?.sha256 !== lock.sha256) {
    const here = own ? "another one" : "none";
    throw new Lack(
      `its ${lock.name} (${lock.sha256.slice(0, 12)}) is needed for ${packages.join(", ")}; in ${process.cwd()} there is ${here}`,
    );
  }
  const modules = nearestModules(process.cwd());
  if (modules) symlinkSync(modules, join(dir, "node_modules"));
  const require = createRequire(join(dir, "index.js"));
  const missing = packages.filter((name) => !canResolve(require, name));
  if (missing.length > 0)
    throw new Lack(`the package ${missing.join(", ")} can't be found from ${process.cwd()}: npm ci there`);
}

function nearestModules(dir: string): string | undefined {
  for (let folder = dir; ; folder = dirname(folder)) {
    const path = join(folder, "node_modules");
    if (existsSync(path)) return path;
    if (dirname(folder) === folder) return undefined;
  }
}

/** A package without a main file is there too. */
function canResolve(require: NodeJS.Require, name: string): boolean {
  return (require.resolve.paths(name) ?? []).some((folder) => existsSync(join(folder, name)));
}

function hashOf(content: Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}
