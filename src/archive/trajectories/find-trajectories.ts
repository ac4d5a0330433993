import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../core/errors.ts";

/** How agents' files are named in folders; a file that is named itself is read whatever its name. */
const NAMES = /\.traj$|\.traj\.json$|^trajectory[\w.-]*\.json$|\.atif\.json$/;
export const NAMES_TEXT = "*.traj, *.traj.json, trajectory*.json, *.atif.json";

/** The files that paths name, one after the other; folders are walked in the order of names, links are not followed. */
export function* findTrajectories(paths: readonly string[]): Generator<string> {
  for (const path of paths) {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats)
      throw new UserError(`${path}: there is no such file or folder`, {
        remedy: "Give a trajectory, or a folder with some.",
      });
    if (stats.isDirectory()) yield* walk(path);
    else yield path;
  }
}

function* walk(folder: string): Generator<string> {
  const entries = readdirSync(folder, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (entry.isDirectory()) yield* walk(join(folder, entry.name));
    else if (entry.isFile() && NAMES.test(entry.name)) yield join(folder, entry.name);
  }
}
