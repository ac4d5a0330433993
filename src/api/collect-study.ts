import { type Collected, type CollectOptions, collect as gather } from "../archive/collect.ts";
import { readStudyFile } from "../archive/read-records.ts";
import { isCurrent } from "../read/current-records.ts";

/**
 * Gathers the runs of a study, as it was last launched, into one CSV. Runs of parameters or programs that it
 * had once are left out; whether there can be any, the launches tell.
 */
export function collect(studyDir: string, options: CollectOptions = {}): Promise<Collected> {
  const study = readStudyFile(studyDir);
  const plans = new Set(study?.launches.map((launch) => launch.plan));
  return gather(studyDir, study && plans.size > 1 ? { ...options, keep: isCurrent(study) } : options);
}
