import { mkdirSync, readFileSync, rmSync, statfsSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sleep } from "../../host/clock.ts";
import { isAbandoned, ownerTag } from "../owner-tag.ts";
import { type Images, type PreparedImage, SandboxError, type WantedImage } from "../sandbox.ts";
import { supervise } from "../supervise.ts";
import { askEngine, type ContainerEngine } from "./engine.ts";
import { containerCache } from "./node-layer.ts";

/** What images are called that a program left; gone with the process that asked for them. */
export const LEFT_IMAGE = "assay-left";
/** What images are called that were built from a task's Dockerfile; their tag stands for its content. */
const TASK_IMAGE = "assay-task";

const LOG_BYTES = 4 << 20;
const LOCK_LOOK_MS = 200;
/** A build ends where no more is left, before everything else on this machine does. */
const LEAST_ROOM_BYTES = 1 << 30;

/** Of this thread, by name: what is known to be there, and which builds failed. */
const known = new Map<string, Promise<PreparedImage>>();

/** After an image was found missing, it is looked for again, and built again. */
export function forgetImage(name: string): void {
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
    copyOut: (image, folder, to) => copyOut(engine, image, { folder, to }),
    async remove(image) {
      await askEngine(engine, ["rmi", "--force", image]);
    },
  };
}

async function prepare(
  engine: ContainerEngine,
  wanted: WantedImage,
  signal: AbortSignal,
): Promise<PreparedImage> {
  const { name, build } = wanted;
  const there = name === undefined ? undefined : await inspect(engine, name);
  if (there) return there;
  if (build) return await builtOrFound(engine, { ...wanted, build }, signal);
  const pulled = await askEngine(engine, ["pull", "--quiet", name!], { timeoutMs: wanted.timeoutMs, signal });
  const image = pulled.isOk ? await inspect(engine, name!) : undefined;
  if (image) return image;
  throw new SandboxError(
    `the image ${name} can't be had (${lastLines(pulled.stderr)}). Load it first: ${engine.name} pull ${name}, or ${engine.name} load`,
  );
}

type Build = WantedImage & { build: { dir: string; hash: string } };

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
    await build(engine, image, { wanted, signal });
    noteUse(wanted.build.hash);
    const made = await inspect(engine, image);
    if (!made) throw new SandboxError(`${engine.name} built ${image}, and does not know it afterwards`);
    return { ...made, isNew: true };
  } finally {
    unlock();
  }
}

/** Where logs of builds are, and when each image was last asked for. */
function buildsFolder(): string {
  const folder = join(containerCache(), "builds");
  mkdirSync(folder, { recursive: true });
  return folder;
}

function noteUse(hash: string): void {
  const file = join(buildsFolder(), `${hash}.used`);
  writeFileSync(file, "", { flag: "a" });
  utimesSync(file, new Date(), new Date());
}

async function build(
  engine: ContainerEngine,
  image: string,
  { wanted, signal }: { wanted: Build; signal: AbortSignal },
): Promise<void> {
  const { dir, hash } = wanted.build;
  const log = join(buildsFolder(), `${hash}.log`);
  const room = watchRoom(signal);
  const errors = `${log}.err`;
  try {
    const { exitCode, ended } = await supervise(
      {
        ...{ argv: [], cwd: dir, env: {}, writable: [], readable: [], network: true, memoryMb: 0, diskMb: 0 },
        ...{ timeoutMs: wanted.timeoutMs, stdoutPath: log, stderrPath: errors, outputBytes: LOG_BYTES },
        signal: room.signal,
      },
      {
        argv: [engine.name, ...engine.words, ...buildWords(engine, image, wanted)],
        cwd: dir,
        env: { ...(process.env as Record<string, string>) },
        folders: [],
      },
    );
    const said = `${readFileSync(log, "utf8")}\n${readFileSync(errors, "utf8")}`;
    writeFileSync(log, said);
    signal.throwIfAborted();
    if (exitCode === 0 && ended === undefined) return;
    throw new SandboxError(
      `the image of ${dir} can't be built: ${whyNot(said, { engine, ended, wanted, isFull: room.isFull() })} (log: ${log})`,
    );
  } finally {
    room.close();
    rmSync(errors, { force: true });
  }
}

function buildWords(engine: ContainerEngine, image: string, { network, build }: Build): string[] {
  return [
    ...["build", "--tag", image, "--label", `${TASK_IMAGE}=1`, "--force-rm", ...engine.limits()],
    ...(network ? [] : ["--network", "none"]),
    build.dir,
  ];
}

const NO_BASE =
  /short-name|manifest unknown|pull access denied|initializing source|failed to resolve source|not found: manifest|unable to copy from source|failed to resolve reference/i;

function whyNot(
  said: string,
  {
    engine,
    ended,
    wanted,
    isFull,
  }: { engine: ContainerEngine; ended: string | undefined; wanted: Build; isFull: boolean },
): string {
  if (isFull) return "it would have filled the disk";
  if (ended === "timeout") return `it took longer than ${Math.round(wanted.timeoutMs / 1000)} s`;
  if (NO_BASE.test(said)) {
    const bases = [
      ...readFileSync(join(wanted.build.dir, "Dockerfile"), "utf8").matchAll(
        /^\s*FROM\s+(?:--\S+\s+)*(\S+)/gim,
      ),
    ];
    const names = bases.map(([, name]) => name).join(", ");
    return `its base image ${names} can't be had here: ${lastLines(said, 1)}. Fetch it where there is a network, and ${engine.name} load it here`;
  }
  return lastLines(said);
}

function lastLines(text: string, count = 3): string {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  return lines.slice(-count).join("; ").slice(-600) || "it said nothing";
}

/** Aborts where the disk that images are on is nearly full. */
function watchRoom(outer: AbortSignal) {
  const control = new AbortController();
  let isFull = false;
  const look = () => {
    try {
      const { bavail, bsize } = statfsSync("/var/lib/containers");
      isFull ||= bavail * bsize < LEAST_ROOM_BYTES;
    } catch {
      // Images are elsewhere.
    }
    if (isFull) control.abort();
  };
  const timer = setInterval(look, 1000);
  timer.unref();
  return {
    signal: AbortSignal.any([outer, control.signal]),
    isFull: () => isFull,
    close: () => clearInterval(timer),
  };
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
  const { WorkingDir, Env } = JSON.parse(stdout) as { WorkingDir?: string; Env?: string[] | null };
  const pairs = (Env ?? []).map((text) => [
    text.slice(0, text.indexOf("=")),
    text.slice(text.indexOf("=") + 1),
  ]);
  return { name, workDir: WorkingDir || "/", env: Object.fromEntries(pairs), isNew: false };
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
    mkdirSync(to, { recursive: true });
    const copied = await askEngine(engine, ["cp", `${name}:${folder}/.`, to], { timeoutMs: 600_000 });
    const isAbsent = /no such file|could not find|not exist/i.test(copied.stderr);
    if (!copied.isOk && !isAbsent)
      throw new SandboxError(`${folder} of ${image} can't be read: ${copied.stderr}`);
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
