import { launchStudy, type RunOptions, type StudyResult } from "../launch/launch-study.ts";
import { type PreparedStudy, prepareFile } from "../launch/prepare-study.ts";

/** Runs a study file to its end, or resumes where an earlier launch of it stopped. */
export async function runStudy(path: string, options: RunOptions = {}): Promise<StudyResult> {
  return runPrepared(await prepareFile(path, options), options);
}

export async function runPrepared(prepared: PreparedStudy, options: RunOptions = {}): Promise<StudyResult> {
  if (prepared.study.search)
    return (await import("../launch/search/work-on-search.ts")).runSearch(prepared, options);
  if (prepared.study.analysis.decide === undefined) return launchStudy(prepared, options);
  const { StudyFollower } = await import("../analysis/decide/follow-study.ts");
  return launchStudy(prepared, {
    ...options,
    decider: (study, runs, infos) => new StudyFollower(study, runs, infos),
  });
}
