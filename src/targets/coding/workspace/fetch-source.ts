import {
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { UserError } from "../../../core/errors.ts";
import type { RepoSource } from "../tasks/task.ts";
import { git, runGit } from "./git.ts";
import { linkOnTheWay } from "./inside.ts";
import { readEntry, scanTree } from "./scan-tree.ts";
import { makeGitDir } from "./store.ts";

interface Fetched {
  /** The commit, where the source is a git repository. */
  commit: string | null;
  warnings: string[];
}

type GitSource = Extract<RepoSource, { kind: "git" }>;

/** Puts a task's repository into a folder that is not there yet. The source is only read. */
export async function fetchSource(source: RepoSource, dir: string, scratch: string): Promise<Fetched> {
  if (source.kind === "git") return await checkOut(source, dir, scratch);
  if (source.kind === "image") {
    await source.copyOut(dir);
    return { commit: null, warnings: [] };
  }
  mkdirSync(dir);
  return { commit: null, warnings: source.kind === "folder" ? copyFolder(source.dir, dir) : [] };
}

/** Links stay links; what is neither file nor link is left out. */
function copyFolder(from: string, to: string): string[] {
  const { entries, folders, others, unreadable } = scanTree(from);
  if (unreadable.length > 0)
    throw new UserError(`the folder ${join(from, unreadable[0]!.path)} can't be read`, {
      got: unreadable[0]!.reason,
      remedy: "Give yourself the right to read it.",
    });
  for (const folder of folders) mkdirSync(join(to, folder));
  for (const entry of entries) {
    if (entry.kind === "link") symlinkSync(readEntry(from, entry), join(to, entry.path));
    else copyFileSync(join(from, entry.path), join(to, entry.path), constants.COPYFILE_FICLONE);
  }
  return others.map((path) => `${path} is neither file nor link, so copies do not have it`);
}

async function checkOut(source: GitSource, dir: string, scratch: string): Promise<Fetched> {
  const gitDir = join(scratch, "clone.git");
  makeGitDir(gitDir, { attributes: "" });
  const commit = await fetchCommit(source, gitDir, scratch);
  const workTree = join(scratch, "checkout");
  mkdirSync(workTree);
  const call = { cwd: workTree, env: { GIT_DIR: gitDir, GIT_WORK_TREE: workTree } };
  if (source.sparse.length > 0) {
    const isCone = source.sparse.every((path) => !/[*?[\]!\\]|^\//.test(path));
    await git(["sparse-checkout", "set", isCone ? "--cone" : "--no-cone", "--", ...source.sparse], call);
  }
  await git(["-c", "advice.detachedHead=false", "checkout", "--quiet", "--force", "--detach", commit], call);
  const submodules = existsSync(join(workTree, ".gitmodules"));
  renameSync(folderOf(source, workTree), dir);
  return { commit, warnings: submodules ? ["the repository's submodules are left empty"] : [] };
}

function folderOf({ subdir, url }: GitSource, workTree: string): string {
  if (subdir === null) return workTree;
  const path = join(workTree, subdir);
  if (
    linkOnTheWay(workTree, subdir) === undefined &&
    lstatSync(path, { throwIfNoEntry: false })?.isDirectory()
  )
    return path;
  throw new UserError(`the repository ${url} has no folder ${subdir} at this commit`, {
    remedy: "Correct repo.subdir of the task.",
  });
}

/** The one commit alone where the other side can give that, everything otherwise. */
async function fetchCommit(source: GitSource, gitDir: string, scratch: string): Promise<string> {
  const { url, commit, branch } = source;
  const isLocal = url.startsWith("/");
  // The owner of the folder does not matter: nothing of it is run. Only the user's settings can say so to the other side.
  const trusting = join(scratch, "trusting.config");
  writeFileSync(trusting, "[safe]\n\tdirectory = *\n");
  const settings = isLocal ? { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: trusting } : {};
  const call = { cwd: scratch, env: { GIT_DIR: gitDir, ...settings }, withUserConfig: true };
  const quick = ["fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--", url];
  const wanted = commit ?? branch ?? "HEAD";
  let result = await runGit([...quick, wanted], call);
  let name = "FETCH_HEAD";
  if (result.code !== 0 && commit !== null) {
    const all = ["fetch", "--quiet", "--no-recurse-submodules", "--", url];
    result = await runGit([...all, "+refs/*:refs/source/*"], call);
    name = commit;
  }
  const parsed =
    result.code === 0 ? await runGit(["rev-parse", "--verify", "--quiet", `${name}^{commit}`], call) : null;
  if (parsed?.code === 0) return parsed.stdout.toString("utf8").trim();
  throw new UserError(`${wanted} of the repository ${withoutPassword(url)} can't be fetched`, {
    got: parsed ? "no such commit there" : withoutPassword(result.complaint) || "no answer",
    remedy: "Correct repo.git_url, repo.branch or repo.start_commit_sha of the task, or see to the network.",
  });
}

function withoutPassword(text: string): string {
  return text.replaceAll(/(\w+:\/\/)[^/@\s]*@/g, "$1");
}
