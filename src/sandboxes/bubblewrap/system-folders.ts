import { existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname } from "node:path";
import { isBelow } from "../inside-path.ts";
import { readableByName } from "../readable-by-name.ts";
import type { SandboxedProgram } from "../sandbox.ts";

/** Where programs and what they need lie, on any distribution. Nothing else of the machine is shown. */
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix/store"];

/** Words that show the system, read-only: folders as they are, links as links. */
export function systemWords(): string[] {
  return SYSTEM.flatMap((path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats) return [];
    return stats.isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path];
  }).concat(...[nodeFolder(), nameServers()].flat().map((path) => ["--ro-bind", path, path]));
}

export function isOfSystem(path: string): boolean {
  return SYSTEM.some((root) => isBelow(path, root));
}

/** Whether a program sees a file of the machine, and what it leads to where it is a link. */
export function isShown(path: string, { writable, readable }: SandboxedProgram): boolean {
  const mounts = [...writable, ...readable, ...readableByName()].filter(({ as }) => as === undefined);
  const roots = [...SYSTEM, ...nodeFolder(), ...mounts.map((mount) => mount.path)];
  const isBelowAny = (file: string) => roots.some((root) => isBelow(file, root));
  // A link that is named itself is shown as the file that it leads to.
  return roots.includes(path) || (isBelowAny(path) && isBelowAny(realpathSync(path)));
}

/** Where our own Node lies, if it was installed by a version manager: tests of tasks want one, too. */
function nodeFolder(): string[] {
  const bin = dirname(realpathSync(process.execPath));
  const folder = dirname(bin);
  if (isOfSystem(folder) || basename(bin) !== "bin" || isBelow(homedir(), folder)) return [];
  return [folder];
}

/** The file with the name servers is often a link to a place that is not shown. */
function nameServers(): string[] {
  const real = nameServersFile();
  return real === undefined || isBelow(real, "/etc") ? [] : [real];
}

export function nameServersFile(): string | undefined {
  return existsSync("/etc/resolv.conf") ? realpathSync("/etc/resolv.conf") : undefined;
}
