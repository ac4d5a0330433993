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
 * number of points counts from now on, also for workers that are at it.
 */
export async function openSweep(
  prepared: PreparedStudy,
  { fresh = false }: { fresh?: boolean } = {},
): Promise<OpenedSweep> {
  const { study, studyDir } = prepared;
  const notes: string[] = [];
  if (fresh && existsSync(studyDir)) notes.push(await moveAside(studyDir));
  makeFolder(studyDir);
  const { Ledger } = await import("../../engine/sweep/ledger.ts");
  const ledger = new Ledger(studyDir);
  const total = await sweepSize(prepared);
  const described = ledger.exclusively(() => {
    const before = ledger.fact("search");
    const now = canonicalJson(study.search ?? {});
    if (before !== undefined && before !== now)
      notes.push("the search has changed; workers that are at it go on with the new one");
    ledger.setFact("search", now);
    if (ledger.state === "finished") ledger.setFact("state", "open");
    return writeStudyFile(prepared, total);
  });
  return { ledger, described, total, notes };
}
