import { existsSync, realpathSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { UserError } from "../../../../core/errors.ts";
import { repoPath } from "../repo-path.ts";
import type { RepoSource } from "../task.ts";
import type { RepoFacts } from "./schema.ts";

/** Where the repository comes from: git_url at start_commit_sha, or the folder repo/ where there is no git_url. */
export function readSource(
  dir: string,
  { facts, file }: { facts: RepoFacts; file: string },
): { source: RepoSource; warnings: string[] } {
  const url = facts.git_url?.trim();
  if (!url) {
    const folder = join(dir, "repo");
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      return { source: { kind: "folder", dir: realpathSync(folder) }, warnings: [] };
    throw new UserError("the task has no repository", {
      place: { file, path: "repo.git_url" },
      expected: "an address, or a folder repo/ beside it",
      got: "neither",
      remedy: "Add the address and repo.start_commit_sha, or the folder.",
    });
  }
  const commit = facts.start_commit_sha?.trim() || null;
  const branch = facts.branch?.trim() || null;
  for (const [name, value] of Object.entries({ start_commit_sha: commit, branch })) {
    if (value !== null && !/^[\w][\w./+@-]*$/.test(value))
      throw new UserError("", {
        place: { file, path: `repo.${name}` },
        expected: "a name in the repository",
        got: value,
      });
  }
  const subdir = facts.subdir?.trim();
  const source: RepoSource = {
    kind: "git",
    url: addressOf(dir, url, file),
    branch,
    commit,
    subdir:
      subdir && subdir !== "." && subdir !== "/" ? repoPath(subdir, { file, path: "repo.subdir" }) : null,
    sparse: sparsePaths(facts.sparse_checkout, file),
  };
  const moving = `the repository has no start_commit_sha, so the task is whatever ${branch ?? "it"} holds at the time`;
  return { source, warnings: commit === null ? [moving] : [] };
}

/** A local repository by its whole path, others as they are. */
function addressOf(dir: string, url: string, file: string): string {
  const isFile = url.startsWith("file://");
  const isLocal = isFile || /^[./~]/.test(url) || (!/^[\w.@-]+:/.test(url) && existsSync(resolve(dir, url)));
  if (!isLocal) {
    if (/^(https?|ssh|git):\/\/|^[\w.-]+@[\w.-]+:|^[\w.-]+:(?!:)/.test(url)) return url;
    throw new UserError("", {
      place: { file, path: "repo.git_url" },
      expected: "an address of a git repository, or the path of one, relative to the task's folder",
      got: url,
    });
  }
  const path = isFile ? fileURLToPath(url.replace(/^file:\/\/(?!\/)/, "file:///")) : resolve(dir, url);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  throw new UserError(`the repository ${path} does not exist`, { place: { file, path: "repo.git_url" } });
}

function sparsePaths(given: RepoFacts["sparse_checkout"], file: string): string[] {
  if (typeof given === "boolean" || given === undefined) return [];
  const paths = typeof given === "string" ? [given] : given;
  return paths
    .map((path) => path.trim())
    .filter((path) => path !== "")
    .map((path) => {
      if (path.split("/").includes(".."))
        throw new UserError(`"${path}" leads out of the repository`, {
          place: { file, path: "repo.sparse_checkout" },
        });
      return path;
    });
}
