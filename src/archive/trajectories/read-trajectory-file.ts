import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { errorCode, errorText } from "../../core/errors.ts";
import { withoutMark } from "../../core/escape.ts";
import { parsePythonJson } from "../../core/python-text.ts";
import type { Trajectory } from "../../core/trajectory.ts";
import { walkFiles } from "../walk-files.ts";
import { readTrajectory } from "./index.ts";
import { BrokenTrajectory } from "./reader.ts";

/** How agents' files are named in folders; a file that is named itself is read whatever its name. */
const NAMES = /\.traj$|\.traj\.json$|^trajectory[\w.-]*\.json$|\.atif\.json$/;
export const NAMES_TEXT = "*.traj, *.traj.json, trajectory*.json, *.atif.json";

export type ReadFile = { trajectory: Trajectory } | { problem: string };

/** Beyond this a text has no room in one string, and nobody has written a trajectory so long. */
const MOST_BYTES = 400_000_000;
const MOST_PROBLEM = 300;

/** One file, parsed once. Whatever is wrong with it is a sentence, not an exception. */
export function readTrajectoryFile(path: string): ReadFile {
  try {
    return parseTrajectory(textOf(path), basename(path));
  } catch (error) {
    return { problem: problemOf(error) };
  }
}

/** The same for a text that somebody has read already. */
export function parseTrajectory(text: string, name: string): ReadFile {
  try {
    return { trajectory: readTrajectory(parse(text), { name }) };
  } catch (error) {
    return { problem: problemOf(error) };
  }
}

function textOf(path: string): string {
  // A pipe must not block, and is no file anyway.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new BrokenTrajectory("not a regular file");
    if (stats.size === 0) throw new BrokenTrajectory("the file is empty");
    if (stats.size > MOST_BYTES)
      throw new BrokenTrajectory(
        `${Math.round(stats.size / 1e6)} MB; files beyond ${MOST_BYTES / 1e6} MB are not read`,
      );
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

function parse(text: string): unknown {
  try {
    // Some editors begin a file with a mark that is no JSON.
    return parsePythonJson(withoutMark(text));
  } catch (error) {
    const isCut = /end of JSON|unterminated/i.test(errorText(error));
    throw new BrokenTrajectory(`no valid JSON${isCut ? ", it looks cut off" : ""}: ${errorText(error)}`);
  }
}

function problemOf(error: unknown): string {
  if (error instanceof RangeError) return "nested too deeply to be read";
  const isFault = !(error instanceof BrokenTrajectory) && errorCode(error) === undefined;
  if (isFault) throw error;
  const text = errorText(error).replaceAll(/\s+/g, " ");
  // A slice would keep the whole text of a message alive.
  return text.length > MOST_PROBLEM && !text.startsWith("the format")
    ? `${text.slice(0, MOST_PROBLEM)} ...`
    : text;
}

/** The files that paths name, one after the other, and those in folders that have such a name. */
export function* findTrajectories(paths: readonly string[]): Generator<string> {
  for (const path of paths)
    for (const file of walkFiles(path, "trajectory"))
      if (file === path || NAMES.test(basename(file))) yield file;
}
