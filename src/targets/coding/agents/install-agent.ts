import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MachineError, UserError } from "../../../core/errors.ts";
import { readJsonIfAny } from "../../../host/files.ts";
import { isAbandoned, ownerTag } from "../../../sandboxes/owner-tag.ts";
import { removeFolder } from "../../../sandboxes/private-folder.ts";
import { type AgentPackage, agentFolder, agentsDir, inPath } from "./installed.ts";

export interface Installed {
  name: string;
  version: string;
  folder: string;
  /** False where it was there already. */
  isNew: boolean;
}

/** A folder that nobody has finished. */
const STAGING = ".installing-";
/** A version, or a tag of the registry's such as `latest`. */
const VERSION = /^[\w.+-]+$/;

/**
 * Installs an agent from the npm registry into a folder of its version's own. No script of a package runs. Nobody finds a
 * part of it: it gets its name once it is whole.
 */
export async function installAgent(
  { name, npm }: { name: string; npm: AgentPackage },
  { version = npm.tried, signal }: { version?: string | undefined; signal: AbortSignal },
): Promise<Installed> {
  if (!VERSION.test(version))
    throw new UserError(`${name}@${version}`, { expected: "a version such as 1.2.3, or latest" });
  if (isWhole(agentFolder(name, version), npm))
    return { name, version, folder: agentFolder(name, version), isNew: false };
  if (inPath("npm") === undefined)
    throw new UserError("the program npm is not in PATH", { remedy: "It comes with Node: nodejs.org." });
  const home = join(agentsDir(), name);
  mkdirSync(home, { recursive: true });
  await removeAbandoned(home);
  const staging = join(home, `${STAGING}${ownerTag()}`);
  mkdirSync(staging, { recursive: true });
  try {
    writeFileSync(join(staging, "package.json"), '{"private": true}\n');
    await install(staging, { name, wanted: `${npm.name}@${version}`, signal });
    const found = readJsonIfAny<{ version: string }>(join(staging, "node_modules", npm.name, "package.json"));
    if (!found || !isWhole(staging, npm))
      throw new UserError(`${npm.name}@${version} has no program for ${process.platform}-${process.arch}`, {
        expected: npm.program,
        remedy: `Another version: assay agents install ${name}@${npm.tried}`,
      });
    const folder = agentFolder(name, found.version);
    const isNew = !isWhole(folder, npm);
    if (isNew) {
      await removeFolder(folder);
      renameSync(staging, folder);
    }
    return { name, version: found.version, folder, isNew };
  } finally {
    await removeFolder(staging);
  }
}

function isWhole(folder: string, { program }: AgentPackage): boolean {
  return existsSync(join(folder, "node_modules", program));
}

async function removeAbandoned(home: string): Promise<void> {
  for (const entry of readdirSync(home))
    if (entry.startsWith(STAGING) && isAbandoned(entry.slice(STAGING.length)))
      await removeFolder(join(home, entry));
}

interface Installing {
  name: string;
  wanted: string;
  signal: AbortSignal;
}

async function install(folder: string, { name, wanted, signal }: Installing): Promise<void> {
  const words = ["install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"];
  const { code, stderr } = await runNpm([...words, "--prefer-offline", "--loglevel=error", wanted], signal);
  signal.throwIfAborted();
  if (code === 0) return;
  if (/ETARGET|E404|EINVALIDTAGNAME/.test(stderr)) {
    const [, missing = wanted] = /No matching version found for (\S+?)\.?$/m.exec(stderr) ?? [];
    const needed = missing === wanted ? "" : `, which ${wanted} needs`;
    throw new UserError(`the npm registry has no ${missing}${needed}`, {
      remedy: `\`assay agents install ${name}\` takes the version that Assay was tried with.`,
    });
  }
  const told = stderr.split("\n").filter((line) => /^npm (error|ERR!) \S/.test(line));
  throw new MachineError(
    `npm could not install ${wanted}: ${
      told
        .slice(0, 3)
        .join("; ")
        .replaceAll(/npm (error|ERR!) /g, "") ||
      stderr.trim().slice(-500) ||
      `exit code ${code}`
    }`,
  );
}

function runNpm(words: string[], signal: AbortSignal): Promise<{ code: number | null; stderr: string }> {
  return new Promise((resolve, reject) => {
    const npm = spawn("npm", words, { stdio: ["ignore", "ignore", "pipe"], signal, killSignal: "SIGTERM" });
    let stderr = "";
    npm.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    npm.on("error", (error) => (signal.aborted ? resolve({ code: null, stderr }) : reject(error)));
    npm.on("close", (code) => resolve({ code, stderr }));
  });
}
