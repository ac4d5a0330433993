import { execFile } from "node:child_process";
import { sleep } from "../../host/clock.ts";

/** A program that runs containers, called by its command line. What the engines share is not in here. */
export interface ContainerEngine {
  name: "docker" | "podman";
  /** Words before every command, such as which runtime to use. */
  words: readonly string[];
  /** Further words of each container and each build: limits that this engine sets too high by itself. */
  limits(): readonly string[];
  /** Where the client builds by itself, nobody else ends and removes what it left when it was killed. */
  builds?: Builds;
  /** What the client itself reads from its environment: it can't be the program's at once. */
  isClients(key: string): boolean;
  /** What the client says, at the beginning of a line, when it failed itself. */
  complaint: RegExp;
  /** Why it can't be used, from what it answered when it was asked for its version. */
  advice(answer: Answer): string;
  /** Where its images are, for its command `info`. */
  storageFormat: string;
  /** Words with which its command `rm` removes all that are there, also where one is not. */
  removeWords: readonly string[];
  /** Whether this process may see and use the files of its containers where they are. */
  showsFiles(): boolean;
  /** What it is asked for to know that it works. */
  versionFormat: string;
}

export interface Builds {
  /** Words of a build that note the path of a file with what it makes, and change no image. */
  mark(file: string): readonly string[];
  /** Removes what has this mark, of a build that had this folder for its temporary files and has ended. */
  remove(desk: string, mark: string): Promise<void>;
}

export interface Answer {
  isOk: boolean;
  stdout: string;
  /** Why not: the client's own words. */
  stderr: string;
  isMissing: boolean;
}

interface AskOptions {
  timeoutMs?: number;
  signal?: AbortSignal;
}

const PATIENCE_MS = 60_000;
const MOST_BYTES = 64 << 20;
const IMAGE_TRIES = 10;

/** Asks an engine one thing. It never throws. */
export function askEngine(
  { name, words }: Pick<ContainerEngine, "name" | "words">,
  asked: readonly string[],
  { timeoutMs = PATIENCE_MS, signal }: AskOptions = {},
): Promise<Answer> {
  return new Promise((resolve) => {
    const options = {
      encoding: "utf8",
      timeout: timeoutMs,
      killSignal: "SIGKILL",
      maxBuffer: MOST_BYTES,
      ...(signal && { signal }),
    } as const;
    execFile(name, [...words, ...asked], options, (error, stdout, stderr) => {
      const isMissing = error !== null && "code" in error && (error.code as unknown) === "ENOENT";
      const why = stderr.trim() || (error?.killed ? "it does not answer" : (error?.message ?? ""));
      resolve({ isOk: error === null, stdout: stdout.trim(), stderr: why, isMissing });
    });
  });
}

/** Asks about images: podman fails over an image or a container that somebody removes meanwhile, and is asked again. */
export async function askAboutImages(
  engine: ContainerEngine,
  asked: readonly string[],
  options: AskOptions = {},
): Promise<Answer> {
  const isOthers = ({ isOk, stderr }: Answer) =>
    !isOk &&
    /image not known|image with ID|reading image "|no such container/.test(stderr) &&
    !asked.some((word) => stderr.includes(`${word}: image not known`));
  let answer = await askEngine(engine, asked, options);
  for (let tries = 1; isOthers(answer) && tries < IMAGE_TRIES; tries++)
    answer = await askEngine(engine, asked, options);
  return answer;
}

/** Words of a container that only looks at its image, and is gone afterwards. */
export function lookWords(engine: ContainerEngine): string[] {
  return ["run", "--rm", "--network", "none", "--pull", "never", "--entrypoint", "", ...engine.limits()];
}

/** Why an engine can't be used on this machine, with a remedy; undefined where it can. */
export async function engineProblem(engine: ContainerEngine): Promise<string | undefined> {
  const answer = await askEngine(engine, ["version", "--format", engine.versionFormat]);
  return answer.isOk ? undefined : engine.advice(answer);
}

/** Removes a container, also one that an interrupted client is still about to make. */
export async function removeContainer(
  engine: ContainerEngine,
  name: string,
  { isEnded }: { isEnded: boolean },
): Promise<void> {
  for (let round = 0; round < 10; round++) {
    const { isOk } = await askEngine(engine, ["rm", "--force", "--volumes", name]);
    if (isOk && isEnded) return;
    const filter = `name=^/?${name}$`;
    const left = await askEngine(engine, ["ps", "--all", "--quiet", "--filter", filter]);
    if (!left.isOk || (left.stdout === "" && round > 0)) return;
    await sleep(100);
  }
}
