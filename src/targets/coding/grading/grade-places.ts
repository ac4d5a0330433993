import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { ProgramSandbox } from "../../../sandboxes/sandbox.ts";
import { renameInFolder } from "../rename-in-folder.ts";
import { type SeenPaths, seenPaths } from "../seen-paths.ts";
import type { Grading, RolloutTask } from "../tasks/task.ts";
import type { Applied, Base } from "../workspace/base.ts";
import type { SpareCopy } from "../workspace/spare-copy.ts";
import { placeFile } from "./place-file.ts";

/** Where one patch is graded: a fresh copy of the repository, and the folders beside it that the tests know. */
export interface GradePlaces {
  /** All of it; removed by whoever asked for it. */
  dir: string;
  repo: string;
  logs: string;
  home: string;
  /** The patch as a file, for the task's own metrics. */
  patchFile: string;
  seen: SeenPaths;
}

interface Wanted {
  task: RolloutTask;
  base: Base;
  patch: string;
  sandbox: ProgramSandbox;
  dir: string;
  /** A copy that may have been made already. */
  spare?: SpareCopy;
}

/** A fresh copy with the patch. The grader's own files are laid over it by whoever runs one of its scripts. */
export async function openGradePlaces(wanted: Wanted): Promise<{ places: GradePlaces; applied: Applied }> {
  const { task, base, patch, sandbox, dir, spare } = wanted;
  const { grading } = task;
  const at = (name: string) => join(dir, name);
  const [repo, logs, home, patchFile] = [at("repo"), at("logs"), at("home"), at("diff.patch")];
  for (const folder of [join(logs, "verifier"), home]) mkdirSync(folder, { recursive: true });
  await (spare ? spare.moveTo(repo) : base.copyTo(repo, { withGit: true }));
  const applied = await base.apply(repo, patch);
  writeFileSync(patchFile, patch);
  // Tests leave caches beside themselves: they get a copy, and the task stays as it was.
  const mounts = Object.entries(grading.mounts).map(([as, from], i) => {
    const copy = at(`mounts/${i}-${basename(as)}`);
    cpSync(from, copy, { recursive: true, verbatimSymlinks: true });
    return [copy, as] as const;
  });
  const seen = seenPaths(new Map([[repo, task.workDir], [logs, "/logs"], [home, null], ...mounts]), sandbox);
  for (const [copy] of mounts) renameInFolder(copy, seen);
  return { places: { dir, repo, logs, home, patchFile, seen }, applied };
}

/** Puts the grader's files where they belong: before each script, since the one before it has run what the patch made. */
export function placeGraderFiles({ repo, seen }: GradePlaces, { files, tests }: Grading): void {
  for (const [path, text] of Object.entries(files)) placeFile(repo, path, seen.rename(text));
  for (const { path, content } of tests) placeFile(repo, path, seen.rename(content));
}
