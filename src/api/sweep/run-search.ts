import { UserError } from "../../core/errors.ts";
import type { RunOptions, StudyResult } from "../../launch/launch-study.ts";
import type { PreparedStudy } from "../../launch/prepare-study.ts";
import { openSweep } from "./open-sweep.ts";
import { workSweep } from "./work-sweep.ts";

/** Makes a sweep and works on it, both in one; other workers may join. */
export async function runSearch(prepared: PreparedStudy, options: RunOptions): Promise<StudyResult> {
  if (prepared.isMeant) {
    throw new UserError("--only can't choose among runs that a search has not proposed yet", {
      remedy: "Put the condition into the search: where.",
    });
  }
  if (options.rerun !== undefined && options.rerun !== "failed") {
    throw new UserError("a search does only failed runs again", {
      remedy: "`assay confirm STUDY` measures the best points anew; --fresh starts all over.",
    });
  }
  const sweep = await openSweep(prepared, { fresh: options.fresh ?? false, resume: true });
  return workSweep(prepared, sweep, options);
}
