import { readFileSync } from "node:fs";
import { currentRecords, readStudyFile } from "../archive/read-records.ts";
import type { Decision } from "../core/decider.ts";
import { UserError } from "../core/errors.ts";
import { STUDY_FILES } from "../core/study-folder.ts";
import { readDecision } from "../read/decision.ts";
import { raiseExitCode } from "./several-studies.ts";
import { printable } from "./terminal.ts";

/** Decides again from the journal, and compares every verdict with what was written down when it fell. */
export function replayDecisions(studyDir: string, { json }: { json?: boolean }): void {
  const file = readStudyFile(studyDir);
  const decision = file && readDecision(file, currentRecords(studyDir));
  if (!decision)
    throw new UserError("--replay-decisions", {
      expected: "a study that decided as it went",
      got: file ? `${file.name}, which has no analysis.decide` : "no results yet",
      remedy: "Run it with --until decided first.",
    });
  const written = readWritten(studyDir);
  const differing = written.filter((pair) => !isSame(pair, decision));
  if (json) console.log(JSON.stringify({ decision, verdicts: written.length, differing }));
  else {
    console.log(printable(decision.sentence));
    console.log(
      differing.length === 0
        ? `The journal leads to the same ${written.length === 1 ? "verdict" : `${written.length} verdicts`} as the study did.`
        : `The journal leads to other verdicts: ${differing.map(({ candidate, against }) => printable(`${candidate} against ${against}`)).join(", ")}.`,
    );
  }
  if (differing.length > 0) raiseExitCode(1);
}

type Pair = Decision["pairs"][number];

/** Each verdict that fell, once. */
function readWritten(studyDir: string): Pair[] {
  let text = "";
  try {
    text = readFileSync(`${studyDir}/${STUDY_FILES.decisions}`, "utf8");
  } catch {
    return [];
  }
  const pairs = new Map<string, Pair>();
  for (const line of text.split("\n").filter((one) => one.endsWith("}")))
    for (const pair of (JSON.parse(line) as Decision).pairs)
      if (pair.verdict !== null) pairs.set(JSON.stringify([pair.candidate, pair.against]), pair);
  return [...pairs.values()];
}

function isSame({ candidate, against, verdict, rounds }: Pair, { pairs }: Decision): boolean {
  const now = pairs.find((pair) => pair.candidate === candidate && pair.against === against);
  return now?.verdict === verdict && now.rounds === rounds;
}
