import { instanceMetrics, instancesIn } from "../archive/trajectories/instances.ts";
import { type Results, readResults } from "./read-results.ts";

/** A name such as `*.traj`: only then is the folder worth a second look. */
const MAY_BE_TRAJECTORY = /\.traj$|\.json$/;

/**
 * What a program left in its out folder. Trajectories of agents give the metrics that the target `agent` has, where the
 * program itself does not state them.
 */
export function readAgentResults(outDir: string): Results {
  const results = readResults(outDir);
  if (!results.files.some((file) => MAY_BE_TRAJECTORY.test(file))) return results;
  const { rows, problems } = instancesIn(outDir);
  results.metrics = { ...instanceMetrics(rows), ...results.metrics };
  const [only] = rows;
  if (rows.length === 1 && only!.exit_status !== null)
    results.labels = { exit_status: only!.exit_status, ...results.labels };
  results.warnings.push(...problems.map((problem) => `a trajectory could not be read: ${problem}`));
  return results;
}
