import { chmodSync, cpSync, lstatSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, normalize, sep } from "node:path";
import type { Mount, ProgramSandbox } from "../../../sandboxes/sandbox.ts";
import type { Proof } from "../../agent/proof.ts";
import { readPlainFile } from "../read-plain-file.ts";
import { renameInFolder, type SeenPaths, seenPaths } from "../seen-paths.ts";
import type { Grading, RolloutTask } from "../tasks/task.ts";
import type { Applied, Base } from "../workspace/base.ts";
import type { SpareCopy } from "../workspace/spare-copy.ts";

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
  /** What scripts may only read beside their folders. */
  readable: Mount[];
  /** Where the agent's work is in an image of its own. */
  image?: string;
}

interface Wanted {
  task: RolloutTask;
  base: Base;
  patch: string;
  /** An image with the agent's work, which stands for the patch. */
  left?: string;
  sandbox: ProgramSandbox;
  dir: string;
  /** A copy that may have been made already. */
  spare?: SpareCopy;
}

/** Below the repository: the scripts of readers that have none of the task's own. */
const GRADERS = ".assay";

/** A fresh copy with the patch. The grader's own files are laid over it by whoever runs one of its scripts. */
export async function openGradePlaces(wanted: Wanted): Promise<{ places: GradePlaces; applied: Applied }> {
  const { task, base, patch, left, sandbox, dir, spare } = wanted;
  const { grading } = task;
  const at = (name: string) => join(dir, name);
  const [repo, logs, home, patchFile] = [at("repo"), at("logs"), at("home"), at("diff.patch")];
  for (const folder of [join(logs, "verifier"), home]) mkdirSync(folder, { recursive: true });
  // An image that the agent left, or one that nobody changed, has everything in it.
  const isInImage = task.machine !== undefined && (left !== undefined || patch === "");
  if (isInImage) mkdirSync(join(repo, GRADERS), { recursive: true });
  else await (spare ? spare.moveTo(repo) : base.copyTo(repo, { withGit: true }));
  const applied: Applied = isInImage
    ? { way: left === undefined ? "empty" : "plain" }
    : await base.apply(repo, patch);
  if (task.users?.verifier !== undefined)
    for (const folder of [logs, join(logs, "verifier")]) chmodSync(folder, 0o777);
  writeFileSync(patchFile, patch);
  // Tests leave caches beside themselves: they get a copy, and the task stays as it was.
  const mounts = Object.entries(grading.mounts).map(([as, from], i) => {
    const copy = at(`mounts/${i}-${basename(as)}`);
    for (const folder of from) cpSync(folder, copy, { recursive: true, verbatimSymlinks: true });
    return [copy, as] as const;
  });
  const beside = [[logs, "/logs"], [home, null], ...mounts] as const;
  if (!isInImage) {
    const seen = seenPaths(new Map([[repo, task.workDir], ...beside]), sandbox);
    for (const [copy] of mounts) renameInFolder(copy, seen);
    return { places: { dir, repo, logs, home, patchFile, seen, readable: [] }, applied };
  }
  const { workDir } = task.machine!;
  const around = seenPaths(new Map(beside), sandbox);
  const inside = (path: string) => (path === repo ? workDir : around.inside(path));
  const readable = [{ path: join(repo, GRADERS), as: join(workDir, GRADERS) }];
  const places = { dir, repo, logs, home, patchFile, readable, seen: { ...around, inside } };
  return { places: { ...places, ...(left !== undefined && { image: left }) }, applied };
}

/** Puts the grader's files where they belong: before each script, since the one before it has run what the patch made. */
export function placeGraderFiles({ repo, seen }: GradePlaces, grading: Grading, proof?: Proof): void {
  for (const [path, text] of graderFiles(grading)) placeFile(repo, path, seen.rename(text));
  for (const [path, text] of Object.entries(proof?.files ?? {})) placeFile(repo, path, text);
}

/** Those that a script, or what it ran, has changed or removed. */
export function changedGraderFiles({ repo, seen }: GradePlaces, grading: Grading): string[] {
  return graderFiles(grading).flatMap(([path, text]) => {
    const expected = seen.rename(text);
    return readPlainFile(join(repo, path), expected.length * 4 + 1024) === expected ? [] : [path];
  });
}

function graderFiles({ files, tests }: Grading): [path: string, text: string][] {
  return [...Object.entries(files), ...tests.map(({ path, content }): [string, string] => [path, content])];
}

/**
 * Writes a file of the grader's into a copy that a patch went into. Whatever stands in its way there (a link to another
 * place, a folder of its name, a file where a folder should be) is the patch's and gives way, so nothing is ever written
 * outside of the copy.
 */
export function placeFile(root: string, path: string, content: string | Uint8Array): void {
  const parts = normalize(path)
    .split(sep)
    .filter((part) => part !== "" && part !== ".");
  if (parts.length === 0 || parts.includes(".."))
    throw new Error(`${path} is not a path inside the repository`);
  let place = root;
  for (const folder of parts.slice(0, -1)) {
    place = join(place, folder);
    const stats = lstatSync(place, { throwIfNoEntry: false });
    if (stats?.isDirectory()) continue;
    if (stats) rmSync(place);
    mkdirSync(place);
  }
  const file = join(place, parts.at(-1)!);
  rmSync(file, { recursive: true, force: true });
  writeFileSync(file, content, { mode: 0o755 });
}
