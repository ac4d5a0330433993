import { existsSync, readdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { deflateSync } from "node:zlib";
import { collect } from "../archive/collect.ts";
import { rounded } from "../core/number-text.ts";
import type { RunRecord } from "../core/run.ts";
import { STUDY_FILES } from "../core/study-folder.ts";
import { makeFolders, replaceFile } from "../host/files.ts";
import { drawChart } from "../plots/draw-chart.ts";
import type { Encoded, Report } from "../reporters/reporter.ts";
import { runTableOf } from "../reporters/run-table.ts";
import type { ChartView, ReportData, RunTable, RunView, StudyView } from "../reporters/study-view.ts";
import { readViewer, renderPng } from "./built-files.ts";
import { chooseReporters, isOwn, renderWith } from "./choose-reporters.ts";
import { viewJudgement } from "./judge-labels.ts";
import { forSharing, viewKeeper } from "./kept-view.ts";
import { noteLook } from "./past.ts";
import { runViewOf } from "./run-view.ts";
import { viewNotes } from "./view-notes.ts";
import { findAndView, type ReadStudy, readStudy, unitsOf } from "./view-study.ts";

export interface ReportOptions {
  /** Default: report/ in the study's folder. */
  outDir?: string;
  /** Names of reporters, or files of one's own. Default: html, markdown, json, and those of the study's plugins. */
  formats?: readonly string[];
  /** false leaves out the charts' PNG and SVG files; the page has its charts all the same. */
  plots?: boolean;
}

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

/**
 * Writes the report and the table of a study, also while it runs; gives the report's files, the page first, those among them that
 * reporters of the user's wrote, and what it says.
 */
export async function writeReport(
  studyDir: string,
  options: ReportOptions = {},
): Promise<{ files: string[]; own: string[]; view: StudyView }> {
  await collect(studyDir);
  const chosen = await chooseReporters(studyDir, options.formats);
  const viewer = chosen.some(({ name }) => name === "html") ? readViewer() : null;
  const bare = await reportOf(studyDir);
  const { view, runs } = bare.data;
  if (view.answer !== null) noteLook(studyDir, runs.count);
  const outDir = options.outDir ?? `${studyDir}/${STUDY_FILES.report}`;
  const pictures = options.plots === false ? [] : await writePictures(view.charts, outDir);
  const report: Report = { ...bare, viewer, pictures };
  const own: string[] = [];
  const files = chosen.flatMap((reporter) => {
    const written = renderWith(reporter, report).map(({ path, content }) =>
      write(join(outDir, path), content),
    );
    if (isOwn(reporter)) own.push(...written);
    return written;
  });
  files.push(
    ...pictures.flatMap(({ path }) => [path, path.replace(/png$/, "svg")].map((p) => join(outDir, p))),
  );
  return { files, own, view };
}

/** What reporters get, before anything is written: without pictures, and without the page's program. */
export async function reportOf(studyDir: string): Promise<Report> {
  const dir = resolve(studyDir);
  const keep = viewKeeper(dir);
  const read = forSharing(await readStudy(dir));
  const { findings, view } = await findAndView(read);
  keep(view);
  return {
    findings,
    ...reportData(read, view, runTableOf(read.records, unitsOf(read.metrics))),
    ...{ viewer: null, pictures: [] },
  };
}

/** Every chart as PNG, for documents, and as SVG, for those that scale it. */
async function writePictures(charts: readonly ChartView[], outDir: string): Promise<Report["pictures"]> {
  const pictures: Report["pictures"] = [];
  for (const chart of charts) {
    const svg = drawChart(chart);
    const path = `assets/${chart.id}`;
    write(join(outDir, `${path}.svg`), `${svg}\n`);
    write(join(outDir, `${path}.png`), await renderPng(svg));
    pictures.push({ title: chart.title, path: `${path}.png` });
  }
  dropOthers(join(outDir, "assets"), new Set(charts.map(({ id }) => id)));
  return pictures;
}

/** Charts that an earlier report had and this one has not. */
function dropOthers(dir: string, ids: ReadonlySet<string>): void {
  if (!existsSync(dir)) return;
  for (const name of readdirSync(dir)) {
    const [, id] = /^(.+)\.(png|svg)$/.exec(name) ?? [];
    if (id !== undefined && !ids.has(id)) rmSync(join(dir, name));
  }
}

function write(path: string, content: string | Uint8Array): string {
  makeFolders(dirname(path));
  replaceFile(path, content, { isDurable: false });
  return path;
}

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
  const said = viewNotes(read.studyDir);
  const notes = said.notes.length > 0 ? { notes: { ...said, judgement: viewJudgement(read) } } : {};
  const base = apart ? { view, ...notes } : { view, runs: table, ...notes };
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
      const data: ReportData = { view, runs: table, details, left, ...notes };
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
