import { existsSync } from "node:fs";
import { canonicalJson } from "../../core/hash.ts";
import type { StudyFile } from "../../core/study-file.ts";
import type { Ledger } from "../../engine/sweep/ledger.ts";
import { makeFolder, moveAside, writeStudyFile } from "../../launch/launch.ts";
import type { PreparedStudy } from "../../launch/prepare-study.ts";
import { sweepSize } from "./sweep-size.ts";

export interface OpenedSweep {
  ledger: Ledger;
  described: StudyFile;
  /** Runs in all; infinite where nothing but a hand ends the search. */
  total: number;
  notes: string[];
}

/**
 * Makes the folder of a sweep that workers can join, or goes on with the one that is there: a changed space or
 * number of points counts from now on, also for workers that are at it. With `resume` a pause ends that no worker
 * is left to end.
 */
export async function openSweep(
  prepared: PreparedStudy,
  { fresh = false, resume = false }: { fresh?: boolean; resume?: boolean } = {},
): Promise<OpenedSweep> {
  const { study, studyDir } = prepared;
  const notes: string[] = [];
  if (fresh && existsSync(studyDir)) notes.push(await moveAside(studyDir));
  makeFolder(studyDir);
  const { Ledger } = await import("../../engine/sweep/ledger.ts");
  const ledger = new Ledger(studyDir);
  const total = await sweepSize(prepared);
  const described = ledger.exclusively(() => {
    const earlier = ledger.fact("search");
    const search = canonicalJson(study.search ?? {});
    if (earlier !== undefined && earlier !== search)
      notes.push("the search has changed; workers that are at it go on with the new one");
    ledger.setFact("search", search);
    if (ledger.state === "finished") ledger.setFact("state", "open");
    if (ledger.state === "paused" && resume && ledger.others().length === 0) {
      ledger.setFact("state", "open");
      notes.push("it was paused when its last worker ended; it resumes");
    }
    const described = writeStudyFile(prepared, total);
    const [now, before] = described.launches.toReversed();
    // Other seeds, or another program, make other runs of the points that are there.
    if (before && before.plan !== now!.plan) ledger.handOutAgain();
    return described;
  });
  return { ledger, described, total, notes };
}
