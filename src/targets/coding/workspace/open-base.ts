import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join, resolve } from "node:path";
import { errorText, UserError } from "../../../core/errors.ts";
import { canonicalJson, shortHash } from "../../../core/hash.ts";
import { readJson } from "../../../host/files.ts";
import { hasProcess } from "../../../host/processes.ts";
import { hashTree } from "../tasks/hash-tree.ts";
import type { RolloutTask } from "../tasks/task.ts";
import type { Applied, Base, Change } from "./base.ts";
import { diffCopy, PATCH_ARGS } from "./diff-copy.ts";
import { git, runGit } from "./git.ts";
import { type BaseFacts, FACTS, makeBase, publish } from "./make-base.ts";
import { writeSnapshots } from "./snapshot.ts";
import { openScratch } from "./store.ts";

/** Of this thread, by their places. */
const known = new Map<string, BaseOnDisk>();
const MOST_KNOWN = 32;
const BLOCK_BYTES = 4096;

/**
 * The base of a task, made in `cacheDir` by whoever needs it first and found there by all others, of this process or
 * another one. Its name stands for its content.
 */
export async function openBase(task: RolloutTask, { cacheDir }: { cacheDir: string }): Promise<Base> {
  const name = `${task.id.replaceAll(/[^\w.-]/g, "_").slice(0, 60)}-${contentKey(task)}`;
  const place = resolve(cacheDir, name);
  if (!existsSync(join(place, FACTS))) {
    known.delete(place);
    await makeAt(place, task);
  }
  const base = known.get(place) ?? new BaseOnDisk(place, readFacts(place));
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(place, base);
  return base;
}

async function makeAt(place: string, task: RolloutTask): Promise<void> {
  const cacheDir = dirname(place);
  mkdirSync(cacheDir, { recursive: true });
  removeAbandoned(cacheDir);
  const making = join(cacheDir, `.making-${hostname()}-${process.pid}-${randomBytes(6).toString("hex")}`);
  mkdirSync(making);
  try {
    await makeBase(task, making);
    publish(making, place);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

/** Stands for all that goes into a base. A branch that moves on is not noticed while the base is there. */
function contentKey({ source, overlay }: RolloutTask): string {
  const { files, copies, remove } = overlay;
  const content =
    source.kind === "folder"
      ? hashTree(source.dir)
      : source.kind === "image"
        ? [source.image, source.folder]
        : source;
  const copied = Object.entries(copies).map(([path, from]) => [path, copiedHash(path, from)]);
  return shortHash(canonicalJson(["base-1", source.kind, content, files, copied, remove]));
}

function copiedHash(path: string, from: string): string {
  try {
    return hashTree(from);
  } catch (error) {
    throw new UserError(`${from}, which the task puts into its repository as ${path}, can't be read`, {
      got: errorText(error),
    });
  }
}

function readFacts(place: string): BaseFacts {
  return readJson<BaseFacts>(join(place, FACTS));
}

/** Removes what processes of this machine that are gone had begun. */
function removeAbandoned(cacheDir: string): void {
  const prefix = `.making-${hostname()}-`;
  for (const name of readdirSync(cacheDir).filter((name) => name.startsWith(prefix))) {
    const pid = Number(name.slice(prefix.length).split("-")[0]);
    if (!hasProcess(pid)) rmSync(join(cacheDir, name), { recursive: true, force: true });
  }
}

class BaseOnDisk implements Base {
  readonly dir: string;
  readonly revision: string;
  readonly copyBytes: number;
  readonly warnings: readonly string[];
  readonly #place: string;
  readonly #facts: BaseFacts;

  constructor(place: string, facts: BaseFacts) {
    this.#place = place;
    this.#facts = facts;
    this.dir = join(place, "files");
    this.revision = facts.revision;
    this.copyBytes = [...facts.files.files, ...facts.agentGit.files].reduce(
      (sum, { bytes }) => sum + Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES,
      0,
    );
    this.warnings = facts.warnings;
  }

  async copyTo(dir: string, { withGit }: { withGit: boolean }): Promise<void> {
    const { files, agentGit } = this.#facts;
    const parts = [{ snapshot: files, root: this.dir }];
    if (withGit) parts.push({ snapshot: agentGit, root: join(this.#place, "agent") });
    await writeSnapshots(dir, { contentDir: this.#place, parts });
  }

  diff(copy: string): Promise<Change> {
    return diffCopy(resolve(copy), this.dir, this.#facts);
  }

  apply(copy: string, patch: string): Promise<Applied> {
    return applyPatch(resolve(copy), patch, { baseDir: this.dir, tree: this.#facts.tree });
  }
}

const APPLY = ["apply", "--whitespace=nowarn"];

/**
 * Puts a patch into a copy: plainly, or three-way against the base, which is done in an index of its own, so that a
 * conflict never reaches the copy. Git itself refuses paths that lead out of it, also through links.
 */
async function applyPatch(
  copy: string,
  patch: string,
  { baseDir, tree }: { baseDir: string; tree: string },
): Promise<Applied> {
  if (patch.trim() === "") return { way: "empty" };
  const scratch = openScratch(copy, join(dirname(baseDir), "store.git"));
  try {
    const call = { cwd: copy, env: { ...scratch.env, GIT_WORK_TREE: copy } };
    const plain = await runGit([...APPLY, "-"], { ...call, input: patch });
    if (plain.code === 0) return { way: "plain" };
    const refused: Applied = {
      way: "refused",
      reason: plain.complaint || `git apply ended with ${plain.code}`,
    };
    const merged = await runGit([...APPLY, "--3way", "--cached", "-"], { ...call, input: patch });
    if (merged.code !== 0) return refused;
    const input = await git([...PATCH_ARGS, tree, "--"], call);
    if (input.length === 0) return { way: "three-way" };
    const result = await runGit([...APPLY, "-"], { ...call, input });
    return result.code === 0 ? { way: "three-way" } : refused;
  } finally {
    scratch.close();
  }
}
