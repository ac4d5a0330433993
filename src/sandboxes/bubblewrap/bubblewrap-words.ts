import { existsSync, lstatSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { readableByName } from "../readable-by-name.ts";
import type { SandboxedProgram } from "../sandbox.ts";
import { isOfSystem, systemWords } from "./system-folders.ts";

const SHARED_MEMORY_BYTES = 256 << 20;
const OWN = ["/", "/dev", "/proc", "/run", "/sys", "/tmp", "/var", "/var/tmp"];
/** Settings of the running kernel. The owner of the machine could change them without any privilege. */
const KERNEL = ["/proc/sys", "/proc/sysrq-trigger"];

/** What bubblewrap is told: everything is made from nothing, so what is not named here is not there. */
export function bubblewrapWords(
  program: SandboxedProgram,
  { cwd, tmp }: { cwd: string; tmp: string },
): string[] {
  return [
    ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
    ...(program.network ? [] : ["--unshare-net"]),
    ...["--die-with-parent", "--new-session", "--cap-drop", "ALL", "--json-status-fd", "3"],
    ...["--hostname", "sandbox"],
    ...systemWords(),
    ...secretFiles().flatMap(({ path, isFolder }) =>
      isFolder ? emptyFolder(path) : ["--ro-bind", "/dev/null", path],
    ),
    ...["--dev", "/dev", "--size", String(SHARED_MEMORY_BYTES), "--tmpfs", "/dev/shm"],
    ...["--remount-ro", "/dev"],
    ...["--proc", "/proc"],
    ...KERNEL.flatMap((path) => (existsSync(path) ? ["--ro-bind", path, path] : [])),
    ...["--bind", tmp, "/tmp", "--bind", tmp, "/var/tmp", "--dir", "/run"],
    ...mountWords(program),
    ...["--remount-ro", "/", "--chdir", cwd],
  ];
}

function emptyFolder(path: string): string[] {
  return ["--tmpfs", path, "--remount-ro", path];
}

/** The program's own folders, outer ones first, so that what lies deeper goes before. */
function mountWords({ writable, readable }: SandboxedProgram): string[] {
  const mounts = new Map<string, string[]>();
  for (const { path, as = path } of [...readableByName(), ...readable])
    if (!isThereAnyway(path, as)) mounts.set(as, ["--ro-bind", realpathSync(path), as]);
  for (const { path, as = path } of writable) mounts.set(as, ["--bind", realpathSync(path), as]);
  const depth = (path: string) => path.split("/").length;
  return [...mounts].sort(([a], [b]) => depth(a) - depth(b)).flatMap(([, words]) => words);
}

/** Of these the sandbox has its own, or shows the machine's. */
function isThereAnyway(path: string, as: string): boolean {
  return path === as && (OWN.includes(path) || (isOfSystem(path) && isOfSystem(realpathSync(path))));
}

export interface Secret {
  path: string;
  isFolder: boolean;
}

let known: Secret[] | undefined;

/**
 * What lies in /etc, is ours and not for every user of the machine: hashes of passwords, private keys. Without any
 * privilege we still may read what we own, and for the root of a machine that is a lot.
 */
function secretFiles(): Secret[] {
  known ??= listSecrets("/etc");
  return known;
}

function listSecrets(folder: string): Secret[] {
  const found: Secret[] = [];
  const uid = process.getuid?.();
  const groups = process.getgroups?.() ?? [];
  const visit = (at: string): void => {
    for (const name of readdirSync(at)) {
      const path = join(at, name);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (!stats || stats.isSymbolicLink()) continue;
      const isFolder = stats.isDirectory();
      const needed = isFolder ? 0o005 : 0o004;
      const isSecret = (stats.mode & needed) !== needed && stats.size > 0;
      if (isSecret && (stats.uid === uid || groups.includes(stats.gid))) found.push({ path, isFolder });
      if (isFolder && !isSecret) visit(path);
    }
  };
  visit(folder);
  return found;
}
