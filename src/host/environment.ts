import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import os from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import packageJson from "../../package.json" with { type: "json" };
import { parseEnvText } from "../core/env-text.ts";
import { createRedactor, type Redactor } from "../core/redact.ts";
import type { TargetRef } from "../core/study.ts";
import { readJson, readJsonIfAny, readText } from "./files.ts";

/** This package's package.json, from the build and from the sources. */
function packageFile(): string {
  const up = import.meta.url.endsWith(".ts") ? "../../package.json" : "../package.json";
  return fileURLToPath(new URL(up, import.meta.url));
}

export function packageDir(): string {
  return dirname(packageFile());
}

/** The schema of study files as an editor finds it: from here where it lies below this folder. */
export function schemaPath(): string {
  const path = `${packageDir()}/dist/study.schema.json`;
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith("..") ? path : `./${fromHere}`;
}

export const PROGRAM_VERSION: string = packageJson.version;

const MOST_DIFF_CHARACTERS = 200_000;

/** The machine and the software that a study ran on. No environment variables: those hold secrets. */
export function describeMachine(): Record<string, unknown> {
  const cpus = os.cpus();
  return {
    os: `${os.type()} ${os.release()}`,
    platform: `${process.platform} ${process.arch}`,
    hostname: os.hostname(),
    cpu: cpus[0]?.model.trim() ?? "unknown",
    cores: os.availableParallelism(),
    memoryBytes: os.totalmem(),
    node: process.version,
    v8: process.versions.v8,
  };
}

/**
 * Versions of Assay, and of what the nearest package.json above a folder asks for, as they are installed there: what a
 * user's target is made of. What Assay is made of, its own version says.
 */
export function describePackages(dir: string): Record<string, string> {
  const own = readJson<Record<string, unknown>>(packageFile());
  const versions: Record<string, string> = { [String(own.name)]: String(own.version) };
  const root = foldersAbove(dir).find((folder) => existsSync(join(folder, "package.json")));
  // A checkout of Assay itself is nobody's project but ours.
  if (root === undefined || resolve(root) === resolve(packageDir())) return versions;
  const file = readJsonIfAny<Record<string, unknown>>(join(root, "package.json"), { isForeign: true });
  const names = [file?.dependencies, file?.devDependencies].flatMap((list) =>
    typeof list === "object" && list !== null ? Object.keys(list) : [],
  );
  for (const name of new Set(names)) {
    const version = foldersAbove(root)
      .map((folder) => join(folder, "node_modules", name, "package.json"))
      .map((path) => readJsonIfAny<{ version?: unknown }>(path, { isForeign: true })?.version)
      .find((found) => typeof found === "string");
    if (typeof version === "string") versions[name] ??= version;
  }
  return versions;
}

function foldersAbove(dir: string): string[] {
  const here = resolve(dir);
  const above = dirname(here);
  return above === here ? [here] : [here, ...foldersAbove(above)];
}

/** What git prints, without the white space around it; throws where it fails. */
export function runGit(
  dir: string,
  words: readonly string[],
  { input, timeoutMs = 10_000 }: { input?: string; timeoutMs?: number } = {},
): string {
  return execFileSync("git", ["-C", dir, ...words], {
    encoding: "utf8",
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "ignore"],
    maxBuffer: 1 << 26,
    timeout: timeoutMs,
    env: { ...process.env, GIT_OPTIONAL_LOCKS: "0" },
    ...(input !== undefined && { input }),
  }).trim();
}

/** Tags the commit that is checked out around a folder; false where there is none, or the tag exists. */
export function tagCommit(dir: string, tag: string, message: string): boolean {
  const words = ["tag", "--annotate", "--no-sign", "--cleanup=verbatim", "--file=-", tag];
  // A machine of CI may have no name; the tag is no worse for it.
  for (const who of [[], ["-c", "user.name=assay", "-c", "user.email=assay@localhost"]])
    try {
      runGit(dir, [...who, ...words], { input: message });
      return true;
    } catch {
      // Without a commit, or without a name.
    }
  return false;
}

/** Annotated tags of the repository around a folder whose names begin so; none outside of one. */
export function readTags(dir: string, prefix: string): { name: string; message: string }[] {
  try {
    const format = "--format=%(refname:strip=2)%00%(contents)%00";
    const parts = runGit(dir, ["for-each-ref", format, `refs/tags/${prefix}`]).split("\0");
    return parts.flatMap((part, i) =>
      i % 2 === 0 && part.trim() !== "" ? [{ name: part.trim(), message: parts[i + 1] ?? "" }] : [],
    );
  } catch {
    return [];
  }
}

/** The state of the git checkout around a folder, or null outside of one. The diff is capped. */
export function describeGit(dir: string): Record<string, unknown> | null {
  const git = (...words: string[]): string => runGit(dir, words);
  try {
    const status = git("status", "--porcelain");
    const diff = status === "" ? "" : git("diff", "HEAD");
    const [commit, committedAt] = git("log", "-1", "--no-show-signature", "--format=%H%n%cI").split("\n");
    return {
      commit,
      committedAt,
      branch: git("rev-parse", "--abbrev-ref", "HEAD"),
      dirty: status !== "",
      diff: diff.slice(0, MOST_DIFF_CHARACTERS),
      ...(diff.length > MOST_DIFF_CHARACTERS && { diffCut: diff.length - MOST_DIFF_CHARACTERS }),
    };
  } catch {
    return null;
  }
}

const ENV_FILE = /^\.env(\.(?!example$|sample$|template$|dist$).*)?$/;
const MOST_BYTES = 1 << 20;

interface Knowing {
  target: TargetRef;
  /** The folder of the study file. */
  baseDir: string;
  /** The study's own variables. */
  env: Record<string, string>;
}

/**
 * Knows every secret that a study's runs can know: those of this process, those that the study sets, and those in the
 * `.env` files beside the study file and in the folder where its program runs, which many programs read themselves.
 */
export function redactorFor({ target, baseDir, env }: Knowing): Redactor {
  const dirs = new Set([baseDir, ...(target.kind === "command" ? [target.cwd] : [])]);
  return createRedactor(env, process.env, ...[...dirs].flatMap(envFilesIn));
}

/** What can't be read hides nothing: neither can the program read it. */
function envFilesIn(dir: string): Record<string, string>[] {
  try {
    return readdirSync(dir)
      .filter((name) => ENV_FILE.test(name))
      .map((name) => readEnvFile(`${dir}/${name}`));
  } catch {
    return [];
  }
}

function readEnvFile(path: string): Record<string, string> {
  try {
    return Object.fromEntries(parseEnvText(readText(path, { mostBytes: MOST_BYTES })));
  } catch {
    return {};
  }
}

/** A port of this machine that nobody listens on now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/**
 * The built file that another thread or process starts with. All of the build lies in one folder; when the
 * sources themselves are running (in tests), the build beside them is used.
 */
export function entryPath(name: string): string {
  const isSource = import.meta.url.endsWith(".ts");
  return fileURLToPath(new URL(isSource ? `../../dist/${name}.js` : `./${name}.js`, import.meta.url));
}
