import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sleep } from "../../host/clock.ts";
import { isAbandoned, ownerTag } from "../owner-tag.ts";
import {
  type BuiltImage,
  type Images,
  type Mount,
  type PreparedImage,
  SandboxError,
  type WantedImage,
} from "../sandbox.ts";
import { type Build, buildImage, buildsFolder, lastLines, TASK_IMAGE } from "./build-image.ts";
import { askAboutImages, askEngine, type ContainerEngine, lookWords } from "./engine.ts";
import { copyFromContainer, copyFromLeft, type ImageFacts, removeLeft } from "./left.ts";
import { removeLeftBehind } from "./left-behind.ts";
import { asUser, NODE_AT, nodeLayer } from "./node-layer.ts";

const LOCK_LOOK_MS = 200;

/** Of this thread, by name: what is known to be there, and which builds failed. */
const known = new Map<string, Promise<PreparedImage>>();
const facts = new Map<string, ImageFacts>();

/** After an image was found missing, it is looked for again, and built again. */
export function forgetImage(name: string): void {
  facts.delete(name);
  for (const [key, found] of known)
    void found.then(
      (image) => image.name === name && known.delete(key),
      () => {},
    );
}

export function imagesOf(engine: ContainerEngine): Images {
  return {
    prepare(wanted, { signal }) {
      const key = `${engine.name} ${wanted.name} ${wanted.build?.hash}`;
      const found = known.get(key) ?? prepare(engine, wanted, signal);
      known.set(key, found);
      // A cancelled build says nothing about the next one.
      found.catch(() => signal.aborted && known.delete(key));
      return found;
    },
    async copyOut(image, folder, to) {
      if (!(await copyFromLeft(image, folder, to))) await copyOut(engine, image, { folder, to });
    },
    node: (image) => nodeIn(engine, image ?? process.env.SANDBOX_IMAGE ?? ""),
    asUser,
    list: () => listBuilt(engine),
    async remove(image, { isUnused = false } = {}) {
      if (await removeLeft(image)) return true;
      return (await askAboutImages(engine, ["rmi", ...(isUnused ? [] : ["--force"]), image])).isOk;
    },
  };
}

async function listBuilt(engine: ContainerEngine): Promise<BuiltImage[]> {
  await removeLeftBehind(engine);
  const format = "{{.Repository}}:{{.Tag}}";
  const words = ["images", "--filter", `label=${TASK_IMAGE}=1`, "--format", format];
  const { isOk, stdout, stderr } = await askAboutImages(engine, words);
  if (!isOk) throw new SandboxError(`${engine.name} can't list its images: ${stderr}`);
  const names = stdout.split("\n").filter((name) => name.includes(`${TASK_IMAGE}:`));
  return await Promise.all(
    names.map(async (name) => {
      const facts = await askEngine(engine, ["image", "inspect", "--format", "{{.Size}}", name]);
      const used = statSync(join(buildsFolder(), `${name.split(":").at(-1)}.used`), {
        throwIfNoEntry: false,
      });
      return { name, bytes: Number(facts.stdout) || 0, usedAtMs: used?.mtimeMs ?? 0 };
    }),
  );
}

/** Images in which Node was tried by this thread. */
const tried = new Map<string, Promise<void>>();

/** An agent that is a script of Node's needs a whole one: as itself, so that it can start itself again. */
async function nodeIn(engine: ContainerEngine, image: string): Promise<{ mount: Mount; path: string }> {
  const mount = await nodeLayer();
  const found = tried.get(image) ?? tryNode(engine, image, mount);
  tried.set(image, found);
  await found;
  return { mount, path: `${NODE_AT}/bin` };
}

async function tryNode(engine: ContainerEngine, image: string, { path, as }: Mount): Promise<void> {
  const mount = ["--mount", `type=bind,src=${path},dst=${as},readonly`];
  const answer = await askEngine(engine, [
    ...lookWords(engine),
    ...mount,
    image,
    `${NODE_AT}/bin/node`,
    "--version",
  ]);
  if (!answer.isOk)
    throw new SandboxError(
      `the agent needs Node, which the image ${image} can't run: ${lastLines(answer.stderr, 1)}. Add glibc and libstdc++6 to the image`,
    );
}

async function prepare(
  engine: ContainerEngine,
  wanted: WantedImage,
  signal: AbortSignal,
): Promise<PreparedImage> {
  const { name, build } = wanted;
  const there = name === undefined ? undefined : await inspect(engine, name);
  if (there) return there;
  await removeLeftBehind(engine);
  if (build) return await builtOrFound(engine, { ...wanted, build }, signal);
  const pulled = await askEngine(engine, ["pull", "--quiet", name!], { timeoutMs: wanted.timeoutMs, signal });
  const image = pulled.isOk ? await inspect(engine, name!) : undefined;
  if (image) return image;
  throw new SandboxError(
    `the image ${name} can't be had (${lastLines(pulled.stderr)}). Load it first: ${engine.name} pull ${name}, or ${engine.name} load`,
  );
}

/** Built by whoever comes first, of this process or another one; the others wait. */
async function builtOrFound(
  engine: ContainerEngine,
  wanted: Build,
  signal: AbortSignal,
): Promise<PreparedImage> {
  const image = `${TASK_IMAGE}:${wanted.build.hash}`;
  const there = await inspect(engine, image);
  if (there) {
    noteUse(wanted.build.hash);
    return there;
  }
  const unlock = await lock(join(buildsFolder(), `${engine.name}-${wanted.build.hash}.lock`), signal);
  try {
    const meanwhile = await inspect(engine, image);
    if (meanwhile) return meanwhile;
    await buildImage(engine, image, { wanted, signal });
    noteUse(wanted.build.hash);
    const made = await inspect(engine, image);
    if (!made) throw new SandboxError(`${engine.name} built ${image}, and does not know it afterwards`);
    return { ...made, isNew: true };
  } finally {
    unlock();
  }
}

function noteUse(hash: string): void {
  const file = join(buildsFolder(), `${hash}.used`);
  writeFileSync(file, "", { flag: "a" });
  utimesSync(file, new Date(), new Date());
}

/** What a container of an image takes from it beside files. */
export async function factsOf(engine: ContainerEngine, image: string): Promise<ImageFacts> {
  if (!facts.has(image)) await inspect(engine, image);
  const found = facts.get(image);
  if (!found) throw new SandboxError(`${engine.name} does not know the image ${image} any more`);
  return found;
}

async function inspect(engine: ContainerEngine, name: string): Promise<PreparedImage | undefined> {
  const { isOk, stdout } = await askEngine(engine, [
    "image",
    "inspect",
    "--format",
    "{{json .Config}}",
    name,
  ]);
  if (!isOk) return undefined;
  const { WorkingDir, Env, Entrypoint, User } = JSON.parse(stdout) as {
    WorkingDir?: string;
    User?: string;
    Env?: string[] | null;
    Entrypoint?: string[] | null;
  };
  const pairs = (Env ?? []).map((text) => [
    text.slice(0, text.indexOf("=")),
    text.slice(text.indexOf("=") + 1),
  ]);
  const entrypoint = Entrypoint ?? [];
  const found = { workDir: WorkingDir || "/", env: Object.fromEntries(pairs) as Record<string, string> };
  facts.set(name, { ...found, entrypoint, user: User ?? "" });
  return { name, ...found, boots: entrypoint.some((word) => word !== ""), isNew: false };
}

async function copyOut(
  engine: ContainerEngine,
  image: string,
  { folder, to }: { folder: string; to: string },
): Promise<void> {
  const name = `assay-${ownerTag()}-${crypto.randomUUID().slice(0, 13)}`;
  const made = await askEngine(engine, [
    "create",
    "--name",
    name,
    "--label",
    "assay.sandbox",
    "--pull",
    "never",
    image,
    "true",
  ]);
  if (!made.isOk) throw new SandboxError(`the files of ${image} can't be read: ${made.stderr}`);
  try {
    await copyFromContainer(engine, name, { image, folder, to });
  } finally {
    await askEngine(engine, ["rm", "--force", name]);
  }
}

/** Waits until nobody else builds the same; what a dead process held is free. */
async function lock(file: string, signal: AbortSignal): Promise<() => void> {
  for (;;) {
    try {
      writeFileSync(file, ownerTag(), { flag: "wx" });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    if (isAbandoned(holderOf(file))) rmSync(file, { force: true });
    else await sleep(LOCK_LOOK_MS, { signal });
    signal.throwIfAborted();
  }
}

function holderOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
