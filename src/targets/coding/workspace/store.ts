import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The one date of all commits, and the first of the files' times: bases of equal content are equal. */
export const FIRST_MTIME_S = Date.UTC(2024, 0, 1) / 1000;

/**
 * Content goes in and out as it is: no line ends are converted, no filters run, whatever `.gitattributes` say. This
 * file has the last word on attributes.
 */
export const RAW_ATTRIBUTES =
  "* -text -eol -crlf -ident -filter -working-tree-encoding !diff !merge !whitespace\n";

const CONFIG = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = false
	checkStat = minimal
	trustctime = false
	protectNTFS = false
	protectHFS = false
`;

/** For the agent's own repository: it may commit without being told who it is. */
const AGENT_CONFIG = `${CONFIG}	logallrefupdates = true
[user]
	name = agent
	email = agent@localhost
`;

/** An empty git folder without anything that came with this machine's git. */
export function makeGitDir(dir: string, { isForAgent = false, attributes = RAW_ATTRIBUTES } = {}): void {
  for (const folder of ["objects/info", "objects/pack", "refs/heads", "refs/tags", "info"])
    mkdirSync(join(dir, folder), { recursive: true });
  writeFileSync(join(dir, "HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(dir, "config"), isForAgent ? AGENT_CONFIG : CONFIG);
  if (!isForAgent) writeFileSync(join(dir, "info/attributes"), attributes);
}

export interface Scratch {
  gitDir: string;
  env: Record<string, string>;
  close(): void;
}

/**
 * A git folder for one diff or patch, beside the copy: with the base's index and objects, and room for new ones. The
 * copy's own `.git` plays no part.
 */
export function openScratch(copy: string, store: string): Scratch {
  const gitDir = mkdtempSync(join(dirname(copy), ".diff-"));
  makeGitDir(gitDir);
  copyFileSync(join(store, "index"), join(gitDir, "index"));
  const env = { GIT_DIR: gitDir, GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(join(store, "objects")) };
  return { gitDir, env, close: () => rmSync(gitDir, { recursive: true, force: true }) };
}

/** The name that git has for a content. */
export function blobId(bytes: Uint8Array): string {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

/** Whether a content can stand in a patch line by line. */
export function isPlainText(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}

/** In double quotes, as git reads paths in lists and attribute files. */
export function quoted(text: string): string {
  const escaped = text
    .replaceAll(/[\\"]/g, "\\$&")
    .replaceAll(/[\0-\x1f\x7f]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`);
  return `"${escaped}"`;
}
