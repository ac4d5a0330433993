import { UserError } from "../core/errors.ts";

/**
 * Where a team keeps its studies. Objects are named for their content, so they are never changed, and two who write
 * the same one at once write the same; nobody needs a lock.
 */
export interface Depot {
  /** As messages name it. */
  label: string;
  /** The names of all objects that begin so; `beginning` ends in a slash. */
  list(beginning: string): Promise<string[]>;
  /** Whole or not at all. One that is there already is good as well. */
  put(name: string, path: string, facts: { sha256: string; bytes: number }): Promise<void>;
  /** Into a file; where there is no such object, an error. */
  get(name: string, path: string): Promise<void>;
  delete(name: string): Promise<void>;
  close(): void;
}

/** `s3://bucket/prefix`, `ssh://user@host/path`, or a folder. */
export async function openDepot(address: string): Promise<Depot> {
  const [, scheme] = /^(\w+):\/\//.exec(address) ?? [];
  if (scheme === "s3") return (await import("./s3-depot.ts")).s3Depot(address);
  if (scheme === "ssh" || scheme === "sftp") return (await import("./ssh-depot.ts")).sshDepot(address);
  if (scheme === undefined) return (await import("./folder-depot.ts")).folderDepot(address);
  throw new UserError(`${scheme}:// is no place for studies`, {
    expected: "s3://bucket/prefix, ssh://user@host/path, or a folder",
    got: address,
  });
}
