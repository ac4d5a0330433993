import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Images, PreparedImage, SandboxedProgram } from "../../sandboxes/sandbox.ts";
import { hashTree } from "./tasks/hash-tree.ts";
import type { RepoSource, RolloutTask } from "./tasks/task.ts";

const PULL_MS = 600_000;

/** Whether a task was made for an image: `auto` takes a container for it where there is an engine. */
export function needsImage({ build, image }: RolloutTask): boolean {
  return build !== null || image !== null;
}

/** Of this thread: what stands for a task's folder, and the task in each state of its image. */
const hashes = new WeakMap<RolloutTask, string>();
const known = new WeakMap<RolloutTask, Map<PreparedImage, RolloutTask>>();

interface ImageOptions {
  signal: AbortSignal;
  /** Whether a build has a network. */
  network: boolean;
}

/**
 * A task as it is in its own image, which is built or found first, and again where somebody removed it: with the image's
 * folder and variables instead of what can be read from the Dockerfile. A task without one stays as it is.
 */
export async function taskInImage(
  task: RolloutTask,
  images: Images,
  options: ImageOptions,
): Promise<RolloutTask> {
  const { build, image } = task;
  if (build === null && (image === null || task.workDir === null)) return task;
  const hash = build && (hashes.get(task) ?? hashTree(build.dir));
  if (hash) hashes.set(task, hash);
  const prepared = await images.prepare(
    {
      name: build ? build.prebuilt : image!,
      ...(build && { build: { dir: build.dir, hash: hash! } }),
      timeoutMs: build?.timeoutMs ?? PULL_MS,
      network: options.network,
    },
    { signal: options.signal },
  );
  const found = known.get(task) ?? new Map<PreparedImage, RolloutTask>();
  known.set(task, found);
  const made = found.get(prepared) ?? madeOf(task, prepared, images);
  found.set(prepared, made);
  return made;
}

function madeOf(
  task: RolloutTask,
  { name, workDir, env, boots }: PreparedImage,
  images: Images,
): RolloutTask {
  const own = Object.entries(task.env).filter(([key]) => !(key in env));
  const source: RepoSource =
    workDir === "/"
      ? { kind: "empty" }
      : {
          ...{ kind: "image", image: name, folder: workDir },
          copyOut: (to) => copyFolderOut(images, { image: name, folder: workDir, to }),
        };
  return {
    ...task,
    source,
    overlay: { files: {}, copies: {}, remove: [] },
    env: Object.fromEntries(own),
    workDir: workDir === "/" ? null : workDir,
    image: name,
    machine: { image: name, workDir, boots, ...(env.PATH !== undefined && { path: env.PATH }) },
    withoutImage: [],
  };
}

/** Repositories within it stay out of patches: what an agent does to their history is in the image that it leaves. */
export async function copyFolderOut(
  images: Images,
  { image, folder, to }: { image: string; folder: string; to: string },
): Promise<void> {
  await images.copyOut(image, folder, to);
  const visit = (dir: string): void => {
    for (const name of readdirSync(dir)) {
      const path = join(dir, name);
      if (name === ".git") rmSync(path, { recursive: true, force: true });
      else if (lstatSync(path).isDirectory()) visit(path);
    }
  };
  visit(to);
}

/** What a sandbox is told of the image that a task's programs run in: tools of an agent outside need no booting. */
export function inImage(
  { image, machine, limits: { cpus } }: RolloutTask,
  { keeps, boots = true }: { keeps: boolean; boots?: boolean },
): Pick<SandboxedProgram, "image" | "machine" | "cpus"> {
  const held = cpus === undefined ? {} : { cpus };
  if (machine)
    return { ...held, image: machine.image, machine: { keeps, boots: boots && machine.boots === true } };
  return image === null ? held : { ...held, image };
}
