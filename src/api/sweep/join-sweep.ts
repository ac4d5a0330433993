import { existsSync } from "node:fs";
import { readStudyFile } from "../../archive/read-records.ts";
import { UserError } from "../../core/errors.ts";
import { type PreparedStudy, prepareStudy } from "../../launch/prepare-study.ts";
import type { OpenedSweep } from "./open-sweep.ts";
import { sweepSize } from "./sweep-size.ts";

/** A sweep that somebody made, for one more worker: the program must be the one that it was made with. */
export async function joinSweep(
  studyDir: string,
  { jobs = 1 }: { jobs?: number } = {},
): Promise<{ prepared: PreparedStudy; sweep: OpenedSweep }> {
  const described = readStudyFile(studyDir);
  if (!described || !existsSync(`${studyDir}/sweep.db`)) {
    throw new UserError(`${studyDir} is no sweep`, { remedy: "`assay sweep FILE` makes one." });
  }
  const { spec } = described;
  const study = { ...described.study, executor: { ...described.study.executor, jobs } };
  const prepared = await prepareStudy({ study, spec, only: undefined, locate: () => ({}) });
  if (prepared.program !== described.program) {
    throw new UserError(`the program of ${described.name} has changed since the sweep was made`, {
      expected: described.program,
      got: prepared.program,
      remedy: `\`assay sweep ${spec.path}\` takes the new one up; what the old one did stays on record.`,
    });
  }
  const { Ledger } = await import("../../engine/sweep/ledger.ts");
  const total = await sweepSize(prepared);
  return {
    prepared: { ...prepared, studyDir },
    sweep: { ledger: new Ledger(studyDir), described, total, notes: [] },
  };
}
