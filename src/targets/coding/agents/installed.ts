import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { UserError } from "../../../core/errors.ts";
import { readJsonIfAny, removeTree } from "../../../host/files.ts";
import { makePrivateFolder } from "../../../sandboxes/private-folder.ts";
import { findProgram } from "../../command/find-program.ts";

/** Where an agent's program comes from. */
export interface AgentPackage {
  /** Its name on the npm registry. */
  name: string;
  /** The version that its preset was tried with. */
  tried: string;
  /** What is started, below node_modules: the program itself where a script of the package would have to fetch it. */
  program: string;
}

export interface FoundAgent {
  path: string;
  /** Null where the program doesn't tell. */
  version: string | null;
  /** In the folder of `assay agents install`: a sandbox has to show it. Undefined where it is in PATH. */
  folder?: string;
}

interface Wanted {
  name: string;
  /** Its name in PATH. */
  program: string;
  npm: AgentPackage;
  /** Undefined is any: the one in PATH, else the newest that is installed. */
  version?: string | undefined;
}

/** Where `assay agents install` puts agents: $ASSAY_AGENTS_DIR, else ~/.cache/assay-agents. */
export function agentsDir(): string {
  return process.env.ASSAY_AGENTS_DIR || join(homedir(), ".cache/assay-agents");
}

/** The folder of one version of an agent. */
export function agentFolder(name: string, version: string): string {
  return join(agentsDir(), name, version);
}

/** Versions that `assay agents install` has put there whole, the newest first. */
export function installedVersions(name: string, { program }: Pick<AgentPackage, "program">): string[] {
  const folder = join(agentsDir(), name);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((version) => existsSync(join(folder, version, "node_modules", program)))
    .sort(compareVersions)
    .reverse();
}

/** The program that a study means by an agent. */
export function findAgent(
  { name, program, npm, version }: Wanted,
  { isInImage = false } = {},
): FoundAgent | undefined {
  const installed = installedVersions(name, npm);
  const inCache = (found: string): FoundAgent => {
    const folder = agentFolder(name, found);
    return { path: join(folder, "node_modules", npm.program), version: found, folder };
  };
  if (version !== undefined) {
    if (installed.includes(version)) return inCache(version);
    throw new UserError(`${name} ${version} is not installed`, {
      ...(installed.length > 0 && { got: installed.join(", ") }),
      remedy: `assay agents install ${name}@${version}`,
    });
  }
  if (isInImage) return installed[0] === undefined ? undefined : inCache(installed[0]);
  const path = inPath(program);
  if (path !== undefined) return { path, version: versionOf(path, npm) };
  if (installed[0] !== undefined) return inCache(installed[0]);
  throw new UserError(`the program "${program}" is not in PATH`, {
    remedy: `Install it: assay agents install ${name}.`,
  });
}

export function inPath(program: string): string | undefined {
  try {
    return findProgram(program, process.cwd());
  } catch {
    return undefined;
  }
}

const known = new Map<string, string | null>();
const LONGEST_MS = 20_000;
const FOLDERS_UP = 6;

/** As the package beside it says, else as it says itself; asked once per process. */
function versionOf(path: string, npm: AgentPackage): string | null {
  const before = known.get(path);
  if (before !== undefined) return before;
  const version = packageVersion(realpathSync(path), npm) ?? toldVersion(path);
  known.set(path, version);
  return version;
}

function packageVersion(path: string, { name }: AgentPackage): string | undefined {
  let folder = dirname(path);
  for (let up = 0; up < FOLDERS_UP; up++) {
    const found = readJsonIfAny<{ name?: string; version?: string }>(join(folder, "package.json"));
    if (found?.name?.startsWith(name)) return found.version;
    folder = dirname(folder);
  }
  return undefined;
}

function toldVersion(path: string): string | null {
  // Some leave files where they are started.
  const cwd = makePrivateFolder();
  try {
    const told = execFileSync(path, ["--version"], {
      ...{ cwd, encoding: "utf8", timeout: LONGEST_MS },
      stdio: ["ignore", "pipe", "ignore"],
    });
    return /\d+\.\d+[\w.+-]*/.exec(told)?.[0] ?? null;
  } catch {
    return null;
  } finally {
    removeTree(cwd);
  }
}

/** 0.9.1 before 0.10.0, and 1.0.0-beta before 1.0.0. */
function compareVersions(a: string, b: string): number {
  const [main, other] = [a, b].map((version) => version.split(/[.-]/)) as [string[], string[]];
  for (let i = 0; i < Math.max(main.length, other.length); i++) {
    const [x, y] = [main[i], other[i]];
    if (x === y) continue;
    if (x === undefined) return /^\d/.test(y!) ? -1 : 1;
    if (y === undefined) return /^\d/.test(x) ? 1 : -1;
    const isNumber = /^\d+$/.test(x) && /^\d+$/.test(y);
    return isNumber ? Number(x) - Number(y) : x < y ? -1 : 1;
  }
  return 0;
}
