import { viewJudgement } from "../read/judge-labels.ts";
import { keptView } from "../read/kept-view.ts";
import { searchTranscripts } from "../read/search-transcripts.ts";
import { runTable, viewRun } from "../read/view-study.ts";
import { compareView } from "./compare-view.ts";
import { KnownStudies } from "./known-studies.ts";

export interface StudyPlace {
  id: string;
  dir: string;
}

/** What can be asked of the thread that computes views; plain data, to travel there. */
export type ViewRequest =
  | ({ kind: "study" } & StudyPlace)
  | ({ kind: "runs" } & StudyPlace)
  | ({ kind: "run"; run: string } & StudyPlace)
  | ({ kind: "judge" } & StudyPlace)
  | ({ kind: "search"; text: string } & StudyPlace)
  | { kind: "compare"; a: StudyPlace; b: StudyPlace };

const known = new KnownStudies();

/** The view as plain data; undefined where there is none, as of a run that has not begun. */
export async function computeView(request: ViewRequest): Promise<unknown> {
  if (request.kind === "compare") return compareView(request.a, request.b, known);
  if (request.kind === "study")
    return keptView(request.dir, { id: request.id, read: () => known.read(request.dir) });
  if (request.kind === "runs") return runTable(await known.read(request.dir));
  if (request.kind === "judge") return viewJudgement(await known.read(request.dir));
  if (request.kind === "search") return searchTranscripts(request.dir, request.text);
  return viewRun(request.dir, request.run);
}
