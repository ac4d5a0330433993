import { basename, dirname, isAbsolute, relative } from "node:path";
import { deflateSync } from "node:zlib";
import { rounded } from "../core/number-text.ts";
import type { RunRecord } from "../core/run.ts";
import type { Encoded, Report } from "../reporters/reporter.ts";
import type { ReportData, RunTable, RunView, StudyView } from "../reporters/study-view.ts";
import { runViewOf } from "./run-view.ts";
import { type ReadStudy, unitsOf } from "./view-study.ts";

/** So many bytes of data are left as they are: a page that people can read with an editor. */
const PLAIN_BYTES = 200_000;
/** Details of runs get what these leave of a page that people send around. */
const PAGE_BYTES = 1_000_000;
const LEAST_DETAIL_BYTES = 150_000;
/** In a page, a series is a small picture and a log its last screens; the files have the rest. */
const MOST_STEPS = 300;
const TAIL_BYTES = 4000;
const TRAJECTORY_ROOM = { textChars: 400, mostTurns: 60, most: 3 };
const TEXT_ROOM = { bytes: 4000, most: 4 };
/** Beyond this many runs the table has as many digits as people read. */
const MANY_RUNS = 10_000;
/** Nobody opens more runs than this in a page, and each costs a look into its folder. */
const MOST_DETAILS = 2000;

/** Everything for the page, with as many runs in full as fit: failed ones first. */
export function reportData(
  read: ReadStudy,
  view: StudyView,
  runs: RunTable,
): Pick<Report, "data" | "encoded"> {
  const table = runs.count > MANY_RUNS ? roundedTable(runs) : runs;
  const tableText = JSON.stringify(table);
  // The first screen needs no table: a large one stands behind the page's code, which need not wait for it.
  const apart = tableText.length > PLAIN_BYTES ? encode(tableText) : null;
  const base = apart ? { view } : { view, runs: table };
  const bare = encode(JSON.stringify({ ...base, details: {}, left: read.records.length }));
  const taken = bare.text.length + (apart?.text.length ?? 0);
  const room = Math.max(LEAST_DETAIL_BYTES, PAGE_BYTES - taken);
  const all = detailsOf(read);
  // How well logs compress is known only afterwards: begin with much, and take as much less as it was too long.
  for (let budget = room * 4; ; ) {
    const { details, count } = fitting(all, budget);
    const left = read.records.length - count;
    const encoded = encode(JSON.stringify({ ...base, details, left }));
    const used = encoded.text.length - bare.text.length;
    if (count === 0 || used <= room) {
      const data: ReportData = { view, runs: table, details, left };
      return { data, encoded: { data: encoded, runs: apart } };
    }
    budget *= Math.min(0.9, (room / used) * 0.95);
  }
}

function* order(records: readonly RunRecord[]): Generator<RunRecord> {
  yield* records.filter(({ outcome }) => outcome.status !== "ok");
  yield* records.filter(({ outcome }) => outcome.status === "ok");
}

function detailsOf({
  studyDir,
  study,
  records,
  metrics,
}: ReadStudy): () => Generator<{ view: RunView; bytes: number }> {
  const seen: { view: RunView; bytes: number }[] = [];
  const rest = order(records);
  const unitOf = unitsOf(metrics);
  return function* () {
    yield* seen;
    while (seen.length < MOST_DETAILS) {
      const next = rest.next();
      if (next.done) return;
      const view = runViewOf(studyDir, next.value, {
        study,
        unitOf,
        mostSteps: MOST_STEPS,
        tailBytes: TAIL_BYTES,
        trajectoryRoom: TRAJECTORY_ROOM,
        textRoom: TEXT_ROOM,
      });
      const one = { view, bytes: JSON.stringify(view).length };
      seen.push(one);
      yield one;
    }
  };
}

function fitting(
  all: ReturnType<typeof detailsOf>,
  bytes: number,
): { details: Record<string, RunView>; count: number } {
  const chosen: [string, RunView][] = [];
  let used = 0;
  for (const { view, bytes: size } of all()) {
    used += size;
    if (used > bytes) break;
    chosen.push([view.id, view]);
  }
  // Not by assignment: a run may be called __proto__.
  return { details: Object.fromEntries(chosen), count: chosen.length };
}

function encode(text: string): Encoded {
  if (text.length <= PLAIN_BYTES) return { encoding: "plain", text };
  return { encoding: "deflate-base64", text: deflateSync(text, { level: 6 }).toString("base64") };
}

function roundedTable(runs: RunTable): RunTable {
  return {
    ...runs,
    columns: runs.columns.map((column) =>
      column.kind === "number" && column.role !== "started" && column.role !== "seed"
        ? {
            ...column,
            values: column.values.map((value) => (value === null ? null : rounded(value, 7))),
          }
        : column,
    ),
  };
}

/**
 * A study as a report shows it: people send reports around, and where somebody's home lies is nobody's business. The
 * study file is named from where the results' folder stands, or by its name alone where it lies elsewhere.
 */
export function forSharing(read: ReadStudy): ReadStudy {
  const { spec } = read.study;
  return { ...read, study: { ...read.study, spec: { ...spec, path: sharedPath(read.studyDir, spec.path) } } };
}

function sharedPath(studyDir: string, path: string): string {
  if (!isAbsolute(path)) return path;
  const home = dirname(dirname(studyDir));
  const from = relative(home, path);
  return home === "/" || from.startsWith("..") || isAbsolute(from) ? basename(path) : from;
}
