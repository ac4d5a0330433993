import { lstatSync, readdirSync } from "node:fs";
import { readPlainFile } from "../read-plain-file.ts";
import { writeWhole } from "./write-file.ts";

const TRAJECTORY = /\.traj$|\.traj\.json$|^trajectory[\w.-]*\.json$|\.atif\.json$/;
const MOST_BYTES = 32 << 20;
const MOST_FILES = 20;

/** Keeps what a program left about its work: trajectories and notes. Links are not followed. */
export function collectAgentFiles(agentDir: string, runDir: string): { notes: string | undefined } {
  if (!lstatSync(agentDir, { throwIfNoEntry: false })?.isDirectory()) return { notes: undefined };
  const names = readdirSync(agentDir).filter((name) => TRAJECTORY.test(name));
  for (const name of names.slice(0, MOST_FILES)) {
    const text = readPlainFile(`${agentDir}/${name}`, MOST_BYTES);
    if (text !== undefined) writeWhole(`${runDir}/trajectories/${name}`, text);
  }
  return { notes: readPlainFile(`${agentDir}/notes.md`, MOST_BYTES) };
}
