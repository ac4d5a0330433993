import type { StudyFile } from "../core/study-file.ts";
import { STUDY_FILES } from "../core/study-folder.ts";
import type { Past } from "../design/standing.ts";
import { appendText, readText } from "../host/files.ts";

/** How the runs of a study came to be, from its folder. */
export function pastOf({ total, launches, study }: StudyFile, studyDir: string): Past {
  const last = launches.at(-1);
  return {
    total: study.search === undefined && Number.isFinite(total) ? total : null,
    launches: launches.map(({ at, plan, specHash, analysis }) => ({
      ...{ atMs: Date.parse(at), plan },
      // Older versions did not record it; the file's last state is known.
      analysis: analysis ?? (specHash === last?.specHash ? study.analysis : undefined),
    })),
    looks: readLooks(studyDir),
  };
}

function readLooks(studyDir: string): Past["looks"] {
  return looksText(studyDir)
    .split("\n")
    .flatMap((line) => {
      try {
        const { at, runs } = JSON.parse(line) as { at: string; runs: number };
        const atMs = Date.parse(at);
        return Number.isFinite(atMs) && Number.isSafeInteger(runs) ? [{ atMs, runs }] : [];
      } catch {
        // An empty line, or one of a program that was killed.
        return [];
      }
    });
}

function looksText(studyDir: string): string {
  try {
    return readText(`${studyDir}/${STUDY_FILES.looks}`);
  } catch {
    return "";
  }
}

/**
 * Notes that somebody sees the answer that so many runs give. Once for each number of runs: to look twice at the same is
 * one look. Never a reason for a reader to fail: the folder may be read-only, or somebody else's.
 */
export function noteLook(studyDir: string, runs: number): void {
  if (runs === 0 || readLooks(studyDir).some((look) => look.runs === runs)) return;
  const line = JSON.stringify({ at: new Date().toISOString(), runs });
  const isCut = /[^\n]$/.test(looksText(studyDir));
  try {
    appendText(`${studyDir}/${STUDY_FILES.looks}`, `${isCut ? "\n" : ""}${line}\n`);
  } catch {
    // Then this look is not counted.
  }
}
