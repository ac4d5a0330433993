import { basename } from "node:path";
import { walkFiles } from "../walk-files.ts";

/** How agents' files are named in folders; a file that is named itself is read whatever its name. */
const NAMES = /\.traj$|\.traj\.json$|^trajectory[\w.-]*\.json$|\.atif\.json$/;
export const NAMES_TEXT = "*.traj, *.traj.json, trajectory*.json, *.atif.json";

/** The files that paths name, one after the other, and those in folders that have such a name. */
export function* findTrajectories(paths: readonly string[]): Generator<string> {
  for (const path of paths)
    for (const file of walkFiles(path, "trajectory"))
      if (file === path || NAMES.test(basename(file))) yield file;
}
