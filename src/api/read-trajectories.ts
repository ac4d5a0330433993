import { summariseFile, type TrajectorySummary } from "../analysis/trajectories/summarise-file.ts";
import { type FolderSummary, FolderTally } from "../analysis/trajectories/summarise-folder.ts";
import {
  findTrajectories,
  NAMES_TEXT,
  readTrajectoryFile,
} from "../archive/trajectories/read-trajectory-file.ts";
import { UserError } from "../core/errors.ts";

export type ReadRow = ({ file: string } & TrajectorySummary) | { file: string; problem: string };

/** Reads one file after the other and keeps a row of each at most: folders of thousands fit. */
export function readTrajectories(paths: readonly string[], onRow: (row: ReadRow) => void): FolderSummary {
  const tally = new FolderTally();
  let isEmpty = true;
  for (const file of findTrajectories(paths)) {
    isEmpty = false;
    const read = readTrajectoryFile(file);
    if ("problem" in read) {
      tally.addBroken();
      onRow({ file, problem: read.problem });
    } else {
      const summary = summariseFile(read.trajectory);
      tally.add(summary);
      onRow({ file, ...summary });
    }
  }
  if (isEmpty)
    throw new UserError(`${paths.join(", ")}: no trajectory`, {
      expected: `files named ${NAMES_TEXT}`,
      remedy: "A file that is named itself is read whatever its name.",
    });
  return tally.summary();
}
