import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { errorText, UserError } from "../../../core/errors.ts";
import { shortHash } from "../../../core/hash.ts";
import type { Overlay, RolloutTask } from "../tasks/task.ts";
import { fetchSource } from "./fetch-source.ts";
import { git, runGit } from "./git.ts";
import { linkOnTheWay, pathProblem } from "./inside.ts";
import { scanTree } from "./scan-tree.ts";
import { type Snapshot, SnapshotWriter } from "./snapshot.ts";
import { blobId, FIRST_MTIME_S, isPlainText, makeGitDir, RAW_ATTRIBUTES } from "./store.ts";

/** Written last: where it is, the base is whole. */
export const FACTS = "base.json";

/** What is kept of a base beside its files. */
export interface BaseFacts {
  format: 1;
  revision: string;
  warnings: string[];
  /** The name of the files' tree in the store. */
  tree: string;
  files: Snapshot;
  /** By path: the content's name in git, and whether it is a text. */
  blobs: Record<string, { id: string; isText: boolean }>;
  /** The `.git` that a copy may get. */
  agentGit: Snapshot;
}

/**
 * Makes a base in a folder:
 *   files/       the pristine files
 *   store.git/   their content, and that of the source before the overlay, for diffs and three-way patches
 *   agent/.git/  what copies get: one commit, and nothing of what the overlay removed
 *   content.bin  all small files in one
 *   base.json    the rest
 */
export async function makeBase(task: RolloutTask, dir: string): Promise<void> {
  const files = join(dir, "files");
  const store = join(dir, "store.git");
  const scratch = join(dir, "scratch");
  mkdirSync(scratch);
  const { commit, warnings } = await fetchSource(task.source, files, scratch);
  makeGitDir(store);
  if (!isEmpty(task.overlay)) {
    await addAll(files, store);
    applyOverlay(files, task.overlay);
  }
  settleTimes(files);
  const tree = await addAll(files, store);
  const agentGit = join(dir, "agent/.git");
  await makeAgentGit(files, agentGit);
  const writer = new SnapshotWriter(dir);
  const blobs: BaseFacts["blobs"] = {};
  const snapshot = writer.add(files, "", (path, bytes) => {
    blobs[path] = { id: blobId(bytes), isText: isPlainText(bytes) };
  });
  const gitSnapshot = writer.add(agentGit, ".git/");
  gitSnapshot.folders.unshift(".git");
  writer.close();
  const revision = commit === null ? `files-${tree.slice(0, 12)}` : commit + overlayMark(task.overlay);
  const facts: BaseFacts = {
    format: 1,
    revision,
    warnings,
    tree,
    files: snapshot,
    blobs,
    agentGit: gitSnapshot,
  };
  writeFileSync(join(dir, FACTS), JSON.stringify(facts));
  rmSync(scratch, { recursive: true });
}

function isEmpty({ files, copies, remove }: Overlay): boolean {
  return Object.keys(files).length + Object.keys(copies).length + remove.length === 0;
}

function overlayMark(overlay: Overlay): string {
  return isEmpty(overlay) ? "" : `+${shortHash(JSON.stringify(overlay))}`;
}

/**
 * Each file gets a second of its own, in the order of their present times. So one that was changed, moved or put in
 * another's place is known by its time and size, whatever they were, and git in a copy need not read what it has not seen change.
 */
function settleTimes(dir: string): void {
  const { entries, folders } = scanTree(dir);
  for (const folder of folders) chmodSync(join(dir, folder), 0o755);
  const files = entries.filter(({ kind }) => kind === "file");
  files.sort((a, b) => a.mtimeMs - b.mtimeMs || (a.path < b.path ? -1 : 1));
  for (const [index, { path, isExecutable }] of files.entries()) {
    const file = join(dir, path);
    chmodSync(file, isExecutable ? 0o755 : 0o644);
    utimesSync(file, FIRST_MTIME_S + index, FIRST_MTIME_S + index);
  }
}

/** Takes all files into a store, ignored ones too, and names their tree. Contents go into one pack instead of a file each. */
async function addAll(files: string, gitDir: string): Promise<string> {
  const call = { cwd: files, env: { GIT_DIR: gitDir, GIT_WORK_TREE: files } };
  rmSync(join(gitDir, "index"), { force: true });
  await git(["-c", "core.bigFileThreshold=1", "add", "--all", "--force", "--", "."], call);
  return (await git(["write-tree"], call)).toString("utf8").trim();
}

async function makeAgentGit(files: string, gitDir: string): Promise<void> {
  makeGitDir(gitDir, { isForAgent: true });
  let tree: string;
  try {
    // As a clone would be: the repository's own attributes hold.
    tree = await addAll(files, gitDir);
  } catch {
    writeFileSync(join(gitDir, "info/attributes"), RAW_ATTRIBUTES);
    tree = await addAll(files, gitDir);
  }
  const date = `${FIRST_MTIME_S} +0000`;
  const names = { NAME: "assay", EMAIL: "assay@localhost", DATE: date };
  const env = Object.fromEntries(
    Object.entries(names).flatMap(([key, value]) => [
      [`GIT_AUTHOR_${key}`, value],
      [`GIT_COMMITTER_${key}`, value],
    ]),
  );
  const call = { cwd: files, env: { ...env, GIT_DIR: gitDir } };
  const commit = (await git(["commit-tree", "-m", "The task's repository", tree], call))
    .toString("utf8")
    .trim();
  await git(["update-ref", "refs/heads/main", commit], call);
  await git(["repack", "-a", "-d", "-q"], call);
  await runGit(["prune-packed", "-q"], call);
  // Git has no use for them in a copy, and each file costs.
  for (const extra of ["objects/info/packs", "info/refs", "COMMIT_EDITMSG"])
    rmSync(join(gitDir, extra), { force: true });
}

/** Makes what was made beside its final place known there; false where somebody else was faster. */
export function publish(made: string, place: string): boolean {
  try {
    renameSync(made, place);
    return true;
  } catch (error) {
    if (!["ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    return false;
  }
}

/** Lays a task's changes over its repository: removals first. No link in the repository is followed. */
function applyOverlay(dir: string, { files, copies, remove }: Overlay): void {
  for (const path of remove) {
    checkWay(dir, dirname(path) === "." ? null : dirname(path), path);
    rmSync(join(dir, path), { recursive: true, force: true });
  }
  for (const [path, from] of Object.entries(copies)) put(dir, path, contentOf(from), isExecutable(from));
  for (const [path, text] of Object.entries(files)) put(dir, path, text, text.startsWith("#!"));
}

function put(dir: string, path: string, content: string | Buffer, executable: boolean): void {
  checkWay(dir, path, path);
  const file = join(dir, path);
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  } catch (error) {
    throw new UserError(`the task's overlay can't put ${path} into the repository`, {
      got: errorText(error),
    });
  }
  if (executable) chmodSync(file, 0o755);
}

function checkWay(dir: string, way: string | null, path: string): void {
  const problem = pathProblem(path);
  const link = problem === undefined && way !== null ? linkOnTheWay(dir, way) : undefined;
  if (problem === undefined && link === undefined) return;
  throw new UserError(
    `the task's overlay names ${path}, which ${problem ?? `leads through the link ${link}`}`,
    {
      expected: "a path of a file in the repository",
    },
  );
}

function contentOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new UserError(`the task's overlay can't read ${path}`, { got: errorText(error) });
  }
}

function isExecutable(path: string): boolean {
  return (statSync(path).mode & 0o100) !== 0;
}
