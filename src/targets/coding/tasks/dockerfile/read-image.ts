import { existsSync, lstatSync, readFileSync } from "node:fs";
import { basename, join, posix } from "node:path";
import { parse } from "yaml";
import { pathProblem } from "../../workspace/inside.ts";
import { scanTree } from "../../workspace/scan-tree.ts";
import type { ImageBuild } from "../task.ts";
import { type Instruction, parseDockerfile } from "./parse.ts";

/** What of an image can be had without building it. */
export interface ImageFacts {
  /** The folder that work happens in. */
  workDir: string;
  /** Files of the disk by their path in that folder. */
  copies: Record<string, string>;
  env: Record<string, string>;
  /** What it is made from; null where it can't stand for the image, since more is done to it. */
  image: string | null;
  /** What is missing where nobody builds the image. */
  withoutImage: string[];
}

const BUILD_MS = 600_000;

/** What an engine builds the image from, where there is a Dockerfile. */
export function buildOf(
  dir: string,
  given: { timeoutS?: number; prebuilt?: string } = {},
): ImageBuild | null {
  const { timeoutS = BUILD_MS / 1000, prebuilt } = given;
  return existsSync(join(dir, "Dockerfile")) ? { dir, timeoutMs: timeoutS * 1000, prebuilt } : null;
}

/** Why a task can't be run here whose docker-compose file starts more than the container that the task is. */
export function composeRefusal(dir: string): string | undefined {
  const services = otherServices(dir);
  return services.length === 0
    ? undefined
    : `the task needs the services ${services.join(", ")} of its docker-compose file, which are not started here`;
}

function otherServices(dir: string): string[] {
  const file = ["yaml", "yml"]
    .map((end) => join(dir, `docker-compose.${end}`))
    .find((path) => existsSync(path));
  if (file === undefined) return [];
  try {
    const { services } = parse(readFileSync(file, "utf8")) as { services?: Record<string, unknown> };
    return Object.keys(services ?? {}).filter((name) => name !== "main" && name !== "client");
  } catch {
    return [`in ${file}, which can't be read`];
  }
}

const DEFAULT_DIR = "/app";
/** What makes an image without leaving a trace in it. */
const HARMLESS = /^(mkdir\s|set\s|echo\s|true$)/;

/** Reads a Dockerfile for the files of its work folder. What it does beyond is named: then the image itself is needed. */
export function readImage(context: string, isLeftOut: (path: string) => boolean = () => false): ImageFacts {
  const facts: ImageFacts = { workDir: DEFAULT_DIR, copies: {}, env: {}, image: null, withoutImage: [] };
  const file = join(context, "Dockerfile");
  if (!existsSync(file)) return facts;
  const instructions = lastStage(parseDockerfile(readFileSync(file, "utf8")));
  const final = instructions.filter(({ name }) => name === "WORKDIR");
  facts.workDir = final.reduce((dir, { words }) => posix.resolve(dir, words[0] ?? "."), "/");
  if (facts.workDir === "/") facts.workDir = DEFAULT_DIR;
  const undone: string[] = [];
  let here = "/";
  for (const instruction of instructions) {
    const { name, words, rest } = instruction;
    if (name === "WORKDIR") here = posix.resolve(here, words[0] ?? ".");
    if (name === "ENV") Object.assign(facts.env, variables(instruction));
    if (name === "RUN" && !HARMLESS.test(rest)) undone.push(`RUN ${rest}`);
    if (name !== "COPY" && name !== "ADD") continue;
    const { files, problems } = copiedFiles(instruction, {
      context,
      workDir: here,
      isLeftOut: (path) => path === "Dockerfile" || isLeftOut(path),
    });
    undone.push(...problems);
    for (const [path, from] of Object.entries(files)) {
      const inside = posix.relative(facts.workDir, path);
      if (pathProblem(inside) === undefined) facts.copies[inside] = from;
      else undone.push(`${name} to ${path}`);
    }
  }
  const from = instructions.find(({ name }) => name === "FROM")?.words[0] ?? null;
  if (undone.length === 0) facts.image = from;
  else facts.withoutImage.push(undoneText(file, undone));
  return facts;
}

function lastStage(instructions: Instruction[]): Instruction[] {
  const start = instructions.map(({ name }) => name).lastIndexOf("FROM");
  return instructions.slice(Math.max(0, start));
}

/** `ENV A=1 B=2`, or the old `ENV A 1`. */
function variables({ words }: Instruction): Record<string, string> {
  const [first = "", ...others] = words;
  if (!first.includes("=")) return first === "" ? {} : { [first]: others.join(" ") };
  return Object.fromEntries(
    words
      .filter((word) => word.includes("="))
      .map((word) => {
        const at = word.indexOf("=");
        return [word.slice(0, at), word.slice(at + 1)];
      }),
  );
}

/** Of a task that names an image of its own. */
export function meantFor(image: string): string {
  return `the task is meant for the image ${image}: only the sandboxes docker and podman have it`;
}

function undoneText(file: string, undone: string[]): string {
  const first = undone[0]!.replaceAll(/\s+/g, " ");
  const shown = first.length > 80 ? `${first.slice(0, 77)}...` : first;
  const more = undone.length > 1 ? ` and ${undone.length - 1} more` : "";
  return `${file} is not built here: what it does beyond copying files is missing (${shown}${more})`;
}

/** Where a COPY puts which files of the folder that the image is built from. */
interface Copied {
  /** Files of the disk by their whole path in the image. */
  files: Record<string, string>;
  /** Why some are not there. */
  problems: string[];
}

/** What COPY and ADD do where that is simple: plain files and folders, a star in the last part of a name. */
function copiedFiles(
  { name, words, flags }: Instruction,
  { context, workDir, isLeftOut }: { context: string; workDir: string; isLeftOut: (path: string) => boolean },
): Copied {
  const copied: Copied = { files: {}, problems: [] };
  const [target, ...sources] = [...words].reverse();
  const shown = `${name} ${words.join(" ")}`;
  const isOdd =
    flags.some((flag) => flag.startsWith("--from")) || words.some((word) => /\$|^<<|:\/\//.test(word));
  if (target === undefined || sources.length === 0 || isOdd) return { files: {}, problems: [shown] };
  const tree = scanTree(context);
  const paths = tree.entries
    .filter(({ kind, path }) => kind === "file" && !isLeftOut(path))
    .map(({ path }) => path);
  const to = posix.resolve(workDir, target);
  const found = sources.flatMap((source) =>
    matches(posix.normalize(source).replace(/^\/+|\/+$/g, ""), [...paths, ...tree.folders]),
  );
  const isFolder = target.endsWith("/") || target === "." || found.length > 1 || to === workDir;
  if (found.length === 0) copied.problems.push(shown);
  for (const source of found) {
    const isFile = source !== "." && lstatSync(join(context, source)).isFile();
    if (isFile) copied.files[isFolder ? posix.join(to, basename(source)) : to] = join(context, source);
    const prefix = source === "." ? "" : `${source}/`;
    if (!isFile)
      for (const path of paths.filter((path) => path.startsWith(prefix)))
        copied.files[posix.join(to, path.slice(prefix.length))] = join(context, path);
  }
  return copied;
}

function matches(source: string, paths: string[]): string[] {
  if (source === "" || source === ".") return ["."];
  if (!/[*?[]/.test(source)) return paths.includes(source) ? [source] : [];
  if (source.includes("[")) return [];
  const pattern = source
    .replaceAll(/[.+^${}()|\\]/g, "\\$&")
    .replaceAll("*", "[^/]*")
    .replaceAll("?", "[^/]");
  return paths.filter((path) => new RegExp(`^${pattern}$`).test(path));
}
