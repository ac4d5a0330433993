import { execFileSync } from "node:child_process";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { Overlay, RepoSource, RolloutTask } from "../../src/targets/coding/tasks/task.ts";

/** A task about a repository, with nothing else of interest. */
export function taskOf(source: RepoSource, overlay: Partial<Overlay> = {}): RolloutTask {
  return {
    id: "a-task",
    title: null,
    tags: [],
    format: "test",
    dir: "/",
    instruction: "Mend it.",
    source,
    overlay: { files: {}, copies: {}, remove: [], ...overlay },
    env: {},
    grading: { rubrics: [], tests: [], files: {}, mounts: {}, env: {}, verdict: "exit", metricsScript: null },
    limits: {},
    workDir: null,
    image: null,
    build: null,
    solution: null,
    warnings: [],
  };
}

export function folderTask(dir: string, overlay: Partial<Overlay> = {}): RolloutTask {
  return taskOf({ kind: "folder", dir }, overlay);
}

/** What git would call the files of a folder: by path, mode and content. `.git` apart. */
export function filesOf(dir: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    const full = join(entry.parentPath, entry.name);
    const path = full.slice(dir.length + 1);
    if (path === ".git" || path.startsWith(".git/")) continue;
    if (entry.isSymbolicLink()) files[path] = `link ${readlinkSync(full)}`;
    if (!entry.isFile()) continue;
    const { mode, size } = lstatSync(full);
    files[path] = `${mode & 0o100 ? "x" : "-"} ${size > 1e9 ? "huge" : readFileSync(full, "latin1")}`;
  }
  return files;
}

/** All of a folder, times and `.git` included: equal before and after means untouched. */
export function everythingIn(dir: string): Record<string, string> {
  const all: Record<string, string> = {};
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    const full = join(entry.parentPath, entry.name);
    const { mode, mtimeMs, ctimeMs } = lstatSync(full);
    const content = entry.isSymbolicLink()
      ? readlinkSync(full)
      : entry.isFile()
        ? readFileSync(full, "latin1")
        : "";
    all[full] = `${mode} ${mtimeMs} ${ctimeMs} ${content}`;
  }
  return all;
}

/** Runs git for a test, with an identity and none of the machine's settings. */
export function gitIn(dir: string, ...args: string[]): string {
  const identity = [
    "-c",
    "user.name=test",
    "-c",
    "user.email=test@localhost",
    "-c",
    "init.defaultBranch=main",
  ];
  const env = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null", HOME: dir };
  return execFileSync("git", [...identity, ...args], { cwd: dir, env, encoding: "utf8" }).trim();
}
