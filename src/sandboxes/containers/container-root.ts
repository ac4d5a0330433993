import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { askEngine, type ContainerEngine } from "./engine.ts";

const run = promisify(execFile);

/** The files of a container that has ended, as this machine shows them. */
export interface ContainerRoot {
  /** All of them. */
  path: string;
  /** Those that the container made or changed, and marks for those that it removed. */
  upper: string;
  /** Those of its image, the last layer first. */
  lowers: string[];
}

/** A root that another container may write to, of which nothing reaches the one below. */
export interface LaidRoot {
  /** To be removed with all that is in it, by whoever asked for it. */
  dir: string;
  path: string;
  upper: string;
}

/** Undefined where the engine doesn't show it here, or keeps it in another way than as layers of an overlay. */
export async function openRoot(engine: ContainerEngine, name: string): Promise<ContainerRoot | undefined> {
  if (!engine.showsFiles()) return undefined;
  const { isOk, stdout: path } = await askEngine(engine, ["mount", name]);
  if (!isOk || basename(path) !== "merged") return undefined;
  const layer = dirname(path);
  try {
    const lowers = readFileSync(join(layer, "lower"), "utf8").trim().split(":");
    accessSync(join(layer, "diff"), constants.R_OK);
    return { path, upper: join(layer, "diff"), lowers: lowers.map((link) => join(dirname(layer), link)) };
  } catch {
    return undefined;
  }
}

/** One line per path that is not as the image has it: `A /new`, `C /changed`, `D /deleted`. */
export function changesOf({ upper, lowers }: ContainerRoot): string[] {
  const changes: string[] = [];
  const folders = [""];
  // The list grows while it is gone through, parents first.
  for (const folder of folders) {
    for (const entry of readdirSync(upper + folder, { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      const kind = isWhiteout(upper + path) ? "D" : lowers.some((layer) => isThere(layer, path)) ? "C" : "A";
      changes.push(`${kind} ${path}`);
      if (entry.isDirectory()) folders.push(path);
    }
  }
  return changes;
}

function isThere(layer: string, path: string): boolean {
  return lstatSync(layer + path, { throwIfNoEntry: false }) !== undefined && !isWhiteout(layer + path);
}

/** How an overlay says that a file is gone. No container may make such a device itself. */
function isWhiteout(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isCharacterDevice() === true && stats.rdev === 0;
}

/** Whether a folder is there under its own name: a link on its way would lead to this machine's files. */
export function isPlainFolder({ path }: Pick<ContainerRoot, "path">, folder: string): boolean {
  let place = path;
  for (const part of folder.split("/").filter(Boolean)) {
    place = join(place, part);
    if (part === ".." || lstatSync(place, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
  }
  return true;
}

/** Copies the content of a plain folder as it is: links stay links. */
export async function copyFromRoot({ path }: ContainerRoot, folder: string, to: string): Promise<void> {
  mkdirSync(to, { recursive: true });
  await run("cp", ["-a", "--", `${path}${folder}/.`, to]);
}

/** Undefined where this machine refuses it. */
export async function layOver({ path }: ContainerRoot, dir: string): Promise<LaidRoot | undefined> {
  const at = (name: string) => join(dir, name);
  for (const name of ["upper", "work", "root"]) mkdirSync(at(name), { recursive: true });
  const options = `lowerdir=${path},upperdir=${at("upper")},workdir=${at("work")}`;
  try {
    await run("mount", ["-t", "overlay", "-o", options, "overlay", at("root")]);
    return { dir, path: at("root"), upper: at("upper") };
  } catch {
    return undefined;
  }
}

/** Where a system guards files by their labels, a container may not use those that its engine has not labelled. */
export function guardsLabels(): boolean {
  const file = "/sys/fs/selinux/enforce";
  return existsSync(file) && readFileSync(file, "utf8").trim() === "1";
}
