import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

export interface Secret {
  path: string;
  isFolder: boolean;
}

let known: Secret[] | undefined;

/**
 * What lies in /etc, is ours and not for every user of the machine: hashes of passwords, private keys. Without any
 * privilege we still may read what we own, and for the root of a machine that is a lot.
 */
export function secretFiles(): Secret[] {
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
