import { existsSync } from "node:fs";
import { readStudyFile } from "../../archive/read-records.ts";
import { UserError } from "../../core/errors.ts";
import { canonicalJson } from "../../core/hash.ts";
import { STUDY_FILES, type StudyFile } from "../../core/study-folder.ts";
import type { Warning } from "../../core/warning.ts";
import { NOWHERE } from "../../dialects/check-shape.ts";
import type { Ledger } from "../../search/shared/ledger.ts";
import { makeFolder, moveAside, writeStudyFile } from "../launch-folder.ts";
import { type PreparedStudy, prepareStudy } from "../prepare-study.ts";

export interface OpenedSearch {
  ledger: Ledger;
  described: StudyFile;
  /** Runs in all; infinite where nothing but a hand ends the search. */
  total: number;
  notes: Warning[];
}

/**
 * Makes the folder of a search that workers can join, or goes on with the one that is there: a changed space or
 * number of points counts from now on, also for workers that are at it. With `resume` a pause ends that no worker
 * is left to end.
 */
export async function openSearch(
  prepared: PreparedStudy,
  { fresh = false, resume = false }: { fresh?: boolean; resume?: boolean } = {},
): Promise<OpenedSearch> {
  const { study, studyDir } = prepared;
  const notes: Warning[] = [];
  if (fresh && existsSync(studyDir)) notes.push(await moveAside(studyDir));
  makeFolder(studyDir);
  const { Ledger } = await import("../../search/shared/ledger.ts");
  const ledger = new Ledger(studyDir);
  const total = await sizeOf(prepared);
  const described = ledger.exclusively(() => {
    const earlier = ledger.fact("search");
    const search = canonicalJson(study.search ?? {});
    if (earlier !== undefined && earlier !== search)
      notes.push({
        kind: "search-changed",
        level: "info",
        text: "the search has changed; its workers continue with the new one",
      });
    ledger.setFact("search", search);
    if (ledger.state === "finished") ledger.setFact("state", "open");
    if (ledger.state === "paused" && resume && ledger.others().length === 0) {
      ledger.setFact("state", "open");
      notes.push({
        kind: "search-resumed",
        level: "info",
        text: "it was paused when its last worker ended; it resumes",
      });
    }
    const described = writeStudyFile(prepared, total);
    const [now, before] = described.launches.toReversed();
    // Other seeds, or another program, make other runs of the points that are there.
    if (before && before.plan !== now!.plan) ledger.handOutAgain();
    return described;
  });
  return { ledger, described, total, notes };
}

/** A search that somebody made, for one more worker: the program must be the one that it was made with. */
export async function joinSearch(
  studyDir: string,
  { jobs = 1 }: { jobs?: number } = {},
): Promise<{ prepared: PreparedStudy; opened: OpenedSearch }> {
  const described = readStudyFile(studyDir);
  if (!described || !existsSync(`${studyDir}/${STUDY_FILES.ledger}`)) {
    throw new UserError(`${studyDir} is not a sweep`, { remedy: "`assay sweep FILE` makes one." });
  }
  const { spec } = described;
  const study = { ...described.study, executor: { ...described.study.executor, jobs } };
  const prepared = await prepareStudy({ study, spec, only: undefined, places: NOWHERE });
  if (prepared.program !== described.program) {
    throw new UserError(`the program of ${described.name} has changed since the sweep was made`, {
      expected: described.program,
      got: prepared.program,
      remedy: `\`assay sweep ${spec.path}\` switches to the new one; the old one's results stay on record.`,
    });
  }
  const { Ledger } = await import("../../search/shared/ledger.ts");
  const total = await sizeOf(prepared);
  return {
    prepared: { ...prepared, studyDir },
    opened: { ledger: new Ledger(studyDir), described, total, notes: [] },
  };
}

/** Loaded late: the searchers take a while. */
async function sizeOf({ plan, study }: PreparedStudy): Promise<number> {
  return (await import("./search-rules.ts")).searchSize(plan, study.search);
}
