import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { lastingEnvironment } from "../environment.ts";
import { type LeftImage, SandboxError, type SandboxedProgram } from "../sandbox.ts";
import {
  type ContainerRoot,
  changesOf,
  copyFromRoot,
  isPlainFolder,
  type LaidRoot,
  layOver,
  openRoot,
} from "./container-root.ts";
import { askAboutImages, askEngine, type ContainerEngine } from "./engine.ts";
import { containerCache } from "./node-layer.ts";

/** What images are called that a program left; gone with the process that asked for them. */
export const LEFT_IMAGE = "assay-left";

const PATIENCE_MS = 600_000;

/** What a container takes from its image beside files. */
export interface ImageFacts {
  workDir: string;
  env: Record<string, string>;
  user: string;
  entrypoint: string[];
}

/** What a program left: its container, which has ended and stays until nobody needs it. */
interface Left {
  engine: ContainerEngine;
  container: string;
  facts: ImageFacts;
  /** Where this machine shows its files: other containers start from them as they are. */
  root: ContainerRoot | undefined;
  /** The image of it, once one was needed. */
  image?: Promise<string>;
  /** Containers that started from its files. */
  users: string[];
}

/** What a container starts from. */
export interface Source {
  image: string;
  /** Goes before the image, whose facts it needs, since files alone have none. */
  laid?: LaidRoot;
  facts?: ImageFacts;
}

/** Of this thread, by the name that an image of it would have. */
const kept = new Map<string, Left>();
let isWatched = false;

/** Keeps what a program changed in its image, if it did; what is mounted there is nothing of the image's. */
export async function keepLeft(
  engine: ContainerEngine,
  container: string,
  { image, program, factsOf }: { image: string; program: SandboxedProgram; factsOf(): Promise<ImageFacts> },
): Promise<LeftImage | undefined> {
  const root = await openRoot(engine, container);
  const mounted = [...program.writable, ...program.readable].map(({ path, as = path }) => as);
  const isMounts = (path: string) =>
    NOISE.test(path) || mounted.some((at) => `${at}/`.startsWith(`${path}/`) || path.startsWith(`${at}/`));
  const told = root ? changesOf(root) : await askChanges(engine, container);
  const changes = told.filter((line) => !isMounts(line.slice(2)));
  if (changes.length === 0) return undefined;
  if (!isWatched) process.once("exit", removeAll);
  isWatched = true;
  kept.set(image, { engine, container, facts: await factsOf(), root, users: [] });
  return { image, changes };
}

/** What engines write themselves. */
const NOISE =
  /^\/(run|dev|proc|sys|etc)$|^\/run\/|^\/dev\/|^\/etc\/(hosts|hostname|resolv\.conf|mtab)$|^\/catatonit$/;

async function askChanges(engine: ContainerEngine, container: string): Promise<string[]> {
  const { isOk, stdout, stderr } = await askEngine(engine, ["diff", container], { timeoutMs: PATIENCE_MS });
  if (!isOk) throw new SandboxError(`what the program left can't be told: ${stderr}`);
  return stdout.split("\n").filter(Boolean);
}

/** What a container of this name starts from, where it is to start from what another one left; the image itself otherwise. */
export async function sourceOf(
  image: string,
  { name, machine }: Pick<SandboxedProgram, "machine"> & { name: string },
): Promise<Source> {
  const left = kept.get(image);
  if (!left) return { image };
  const { root, facts } = left;
  // Overlays can't be piled up: what leaves something itself starts from an image.
  if (machine && !machine.keeps && root && isPlainFolder(root, facts.workDir)) {
    left.users.push(name);
    const laid = await layOver(root, join(rootsFolder(), name));
    if (laid) return { image, laid, facts };
  }
  left.image ??= commit(left, image);
  return { image: await left.image, facts };
}

async function commit({ engine, container }: Left, image: string): Promise<string> {
  const words = ["commit", "--change", `LABEL ${LEFT_IMAGE}=1`, container, image];
  const { isOk, stderr } = await askEngine(engine, words, { timeoutMs: PATIENCE_MS });
  if (!isOk) throw new SandboxError(`what the program left can't be kept: ${stderr}`);
  return image;
}

/** Copies a folder of what was left. False where nothing was left under this name. */
export async function copyFromLeft(image: string, folder: string, to: string): Promise<boolean> {
  const left = kept.get(image);
  if (!left) return false;
  if (left.root && isPlainFolder(left.root, folder)) await copyFromRoot(left.root, folder, to);
  else await copyFromContainer(left.engine, left.container, { image, folder, to });
  return true;
}

/** Copies the content of a container's folder into one of this machine, which is made. */
export async function copyFromContainer(
  engine: ContainerEngine,
  container: string,
  { image, folder, to }: { image: string; folder: string; to: string },
): Promise<void> {
  mkdirSync(to, { recursive: true });
  const copied = await askEngine(engine, ["cp", `${container}:${folder}/.`, to], { timeoutMs: PATIENCE_MS });
  const isAbsent = /no such file|could not find|not exist/i.test(copied.stderr);
  if (!copied.isOk && !isAbsent)
    throw new SandboxError(`${folder} of ${image} can't be read: ${copied.stderr}`);
}

/** Removes what was left. False where nothing was left under this name. */
export async function removeLeft(image: string): Promise<boolean> {
  const left = kept.get(image);
  if (!left) return false;
  kept.delete(image);
  const made = await left.image?.catch(() => undefined);
  if (made !== undefined) await askAboutImages(left.engine, ["rmi", "--force", made]);
  removeLater(left.engine, [...left.users, left.container]);
  return true;
}

function removeAll(): void {
  for (const { engine, users, container } of kept.values()) removeLater(engine, [...users, container]);
}

/** Roots of containers that started from what others left, by the containers' names. */
export function rootsFolder(): string {
  return join(containerCache(), "roots");
}

const REMOVE = `roots="$1"; count="$2"; shift 2
"$@" >/dev/null 2>&1
while [ $# -gt "$count" ]; do shift; done
for name in "$@"; do
  [ -d "$roots/$name" ] || continue
  umount -l "$roots/$name/root"; rm -rf --one-file-system "$roots/$name"
done`;

/** Removes containers with their roots, and lets nobody wait for it; what is killed meanwhile is found by its label. */
export function removeLater(engine: ContainerEngine, names: readonly string[]): void {
  startRemoval(engine, names)
    .on("error", () => {})
    .unref();
}

export async function removeContainers(engine: ContainerEngine, names: readonly string[]): Promise<void> {
  await new Promise((resolve) => startRemoval(engine, names).once("close", resolve).once("error", resolve));
}

/** In a group of its own and without our marks, so that nothing that ends this process ends it. */
function startRemoval({ name, words, removeWords }: ContainerEngine, names: readonly string[]): ChildProcess {
  const asked = [name, ...words, "rm", ...removeWords, ...names];
  const given = ["-c", REMOVE, "sh", rootsFolder(), String(names.length), ...asked];
  return spawn("sh", given, { stdio: "ignore", detached: true, env: lastingEnvironment() });
}
