import { mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { ownerTag } from "../owner-tag.ts";
import { killWith } from "../process-tree.ts";
import { SandboxError, type WantedImage } from "../sandbox.ts";
import { supervise } from "../supervise.ts";
import { askEngine, type ContainerEngine } from "./engine.ts";
import { containerCache } from "./node-layer.ts";

/** What images are called that were built from a task's Dockerfile; their tag stands for its content. */
export const TASK_IMAGE = "assay-task";

const LOG_BYTES = 4 << 20;
/** A build ends where no more is left, before everything else on this machine does. */
const LEAST_ROOM_BYTES = 1 << 30;

export type Build = WantedImage & { build: { dir: string; hash: string } };

/** Where logs of builds are, and when each image was last asked for. */
export function buildsFolder(): string {
  const folder = join(containerCache(), "builds");
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Builds an image from a folder with a Dockerfile, with a log; a SandboxError that says why not. */
export async function buildImage(
  engine: ContainerEngine,
  image: string,
  { wanted, signal }: { wanted: Build; signal: AbortSignal },
): Promise<void> {
  const { dir, hash } = wanted.build;
  const log = join(buildsFolder(), `${hash}.log`);
  const desk = join(desksFolder(engine), `assay-${ownerTag()}-${crypto.randomUUID().slice(0, 13)}`);
  mkdirSync(desk, { recursive: true });
  writeFileSync(markOf(desk), "");
  const room = watchRoom(signal, await storageOf(engine));
  const errors = `${log}.err`;
  try {
    const { exitCode, ended } = await supervise(
      {
        ...{ argv: [], cwd: dir, env: {}, writable: [], readable: [], network: true, memoryMb: 0, diskMb: 0 },
        ...{ timeoutMs: wanted.timeoutMs, stdoutPath: log, stderrPath: errors, outputBytes: LOG_BYTES },
        signal: room.signal,
      },
      {
        argv: [engine.name, ...engine.words, ...buildWords(engine, image, { wanted, desk })],
        cwd: dir,
        env: { ...(process.env as Record<string, string>), TMPDIR: desk },
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
    await clearDesk(engine, desk);
  }
}

function buildWords(
  engine: ContainerEngine,
  image: string,
  { wanted: { network, build }, desk }: { wanted: Build; desk: string },
): string[] {
  return [
    ...["build", "--tag", image, "--label", `${TASK_IMAGE}=1`, "--force-rm", ...engine.limits()],
    ...(engine.builds?.mark(markOf(desk)) ?? []),
    ...(network ? [] : ["--network", "none"]),
    build.dir,
  ];
}

/** The folders for temporary files of the builds that are under way, by whose they are. */
export function desksFolder({ name }: ContainerEngine): string {
  return join(containerCache(), "building", name);
}

function markOf(desk: string): string {
  return join(desk, "mark");
}

/** Ends what a build started and removes what it has no use for any more: one that was killed left all of it. */
export async function clearDesk(engine: ContainerEngine, desk: string): Promise<void> {
  await killWith(basename(desk));
  await engine.builds?.remove(desk, markOf(desk));
  rmSync(desk, { recursive: true, force: true });
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

/** The end of what an engine said, for a message. */
export function lastLines(text: string, count = 3): string {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  return lines.slice(-count).join("; ").slice(-600) || "it said nothing";
}

/** Where an engine keeps its images; undefined where that is not on this machine, or it doesn't tell. */
async function storageOf(engine: ContainerEngine): Promise<string | undefined> {
  const { isOk, stdout } = await askEngine(engine, ["info", "--format", engine.storageFormat]);
  return isOk && stdout.startsWith("/") ? stdout : undefined;
}

/** Aborts where the disk that images are on is nearly full. */
function watchRoom(outer: AbortSignal, storage: string | undefined) {
  const control = new AbortController();
  let isFull = false;
  const look = () => {
    try {
      if (storage === undefined) return;
      const { bavail, bsize } = statfsSync(storage);
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
