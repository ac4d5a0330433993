import { cpSync, mkdirSync, readdirSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parse } from "yaml";
import { errorText, UserError } from "../../../core/errors.ts";
import { RunFailure } from "../../../core/run.ts";
import { findNear } from "../find-near.ts";
import { readPlainFile } from "../read-plain-file.ts";
import { type SeenPaths, seenPaths } from "../seen-paths.ts";
import type { AgentJob } from "./agent.ts";

/** Where a sandbox with a file system of its own shows a run's folders. */
const SHOWN = { repo: "/workspace/repo", outDir: "/workspace/out", homeDir: "/workspace/home" };

/** What a program's settings say: the content of JSON and YAML files. */
export type Settings = { [key: string]: unknown };

interface Home {
  /** A folder of the study's whose content becomes the agent's HOME. */
  from: string | undefined;
  /** Files below HOME: what they say goes before what the study's own say at the same place. */
  settings: Record<string, Settings>[];
}

const MOST_BYTES = 4 << 20;

/** Fills an agent's HOME for one run. */
export function fillHome(
  homeDir: string,
  { from, settings }: Home,
  { name, baseDir }: { name: string; baseDir: string },
): void {
  try {
    if (from !== undefined)
      cpSync(findHome(from, baseDir), homeDir, { recursive: true, verbatimSymlinks: true });
    for (const [path, wanted] of settings.flatMap((part) => Object.entries(part))) {
      const file = join(homeDir, path);
      const own = readPlainFile(file, MOST_BYTES);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify(merged(own === undefined ? {} : parsed(own, path), wanted)));
    }
  } catch (error) {
    throw new RunFailure(
      "infrastructure",
      `the home of the agent ${name} can't be made: ${errorText(error)}`,
    );
  }
}

/** The folder that a study names for an agent's HOME. Links would bring what no identity of a run knows of. */
export function findHome(path: string, baseDir: string): string {
  const found = findNear(path, baseDir);
  if (found === undefined || !statSync(found).isDirectory())
    throw new UserError(`${path} is no folder`, {
      remedy: "Paths are relative to the folder that the command is called in, or to the study's.",
    });
  const folder = realpathSync(found);
  const link = readdirSync(folder, { recursive: true, withFileTypes: true }).find((entry) =>
    entry.isSymbolicLink(),
  );
  if (link)
    throw new UserError(`${path} has a link: ${relative(folder, join(link.parentPath, link.name))}`, {
      remedy: "Put a copy of what it leads to in its place.",
    });
  return folder;
}

/** Every JSON is YAML. */
function parsed(text: string, path: string): Settings {
  try {
    const value: unknown = parse(text);
    if (isSettings(value)) return value;
  } catch {
    // Told below.
  }
  throw new Error(`${path} in it is no JSON or YAML with names and values`);
}

function merged(own: Settings, wanted: Settings): Settings {
  const result = { ...own };
  for (const [key, value] of Object.entries(wanted)) {
    const before = result[key];
    result[key] = isSettings(before) && isSettings(value) ? merged(before, value) : value;
  }
  return result;
}

function isSettings(value: unknown): value is Settings {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * A task in its own image has its repository there, and nothing is shown in its place. Else it is where the task's texts believe it to be, as far as the sandbox can do that. Else all runs see the same
 * paths where it can show folders elsewhere: an agent then asks the same twice.
 */
export function agentPaths({ task, places: { repo, outDir, homeDir }, sandbox }: AgentJob): SeenPaths {
  if (task.machine) {
    const { workDir } = task.machine;
    const seen = seenPaths(
      new Map([
        [outDir, SHOWN.outDir],
        [homeDir, SHOWN.homeDir],
      ]),
      sandbox,
    );
    return { ...seen, inside: (path) => (path === repo ? workDir : seen.inside(path)) };
  }
  const isFree = sandbox.isolates.includes("files");
  const wanted = new Map([
    [repo, task.workDir ?? (isFree ? SHOWN.repo : null)],
    [outDir, isFree ? SHOWN.outDir : null],
    [homeDir, isFree ? SHOWN.homeDir : null],
  ]);
  return seenPaths(wanted, sandbox);
}
