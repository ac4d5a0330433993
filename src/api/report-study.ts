import { existsSync, readdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { findOut } from "../analysis/findings.ts";
import { type Collected, type CollectOptions, collect as gather } from "../archive/collect.ts";
import { readStudyFile } from "../archive/read-records.ts";
import { UserError } from "../core/errors.ts";
import { STUDY_FILES } from "../core/study-folder.ts";
import { suggestion } from "../core/suggest.ts";
import { makeFolders, replaceFile } from "../host/files.ts";
import { drawChart } from "../plots/draw-chart.ts";
import { readViewer, renderPng } from "../read/built-files.ts";
import { isCurrent } from "../read/current-records.ts";
import { noteLook } from "../read/past.ts";
import { forSharing, reportData } from "../read/report-data.ts";
import { readStudy, unitsOf, viewStudy } from "../read/view-study.ts";
import { reporters } from "../reporters/index.ts";
import type { Report, Reporter } from "../reporters/reporter.ts";
import { runTableOf } from "../reporters/run-table.ts";
import type { ChartView, StudyView } from "../reporters/study-view.ts";

export interface ReportOptions {
  /** Default: report/ in the study's folder. */
  outDir?: string;
  /** Names of reporters. Default: html, markdown, json. */
  formats?: readonly string[];
  /** false leaves out the charts' PNG and SVG files; the page has its charts all the same. */
  plots?: boolean;
}

const DEFAULT_FORMATS = ["html", "markdown", "json"];
const SHORT: Record<string, string> = { md: "markdown", xml: "junit" };

/** Writes the report of a study, also while it runs; gives the files, the page first. */
export async function reportStudy(studyDir: string, options: ReportOptions = {}): Promise<string[]> {
  return (await writeReport(studyDir, options)).files;
}

/** The same, with what the report says. */
export async function writeReport(
  studyDir: string,
  options: ReportOptions = {},
): Promise<{ files: string[]; view: StudyView }> {
  const chosen = reportersOf(options.formats ?? DEFAULT_FORMATS);
  const viewer = chosen.some(({ name }) => name === "html") ? readViewer() : null;
  const read = forSharing(await readStudy(resolve(studyDir)));
  const view = await viewStudy(read);
  if (view.answer !== null) noteLook(studyDir, read.records.length);
  const outDir = options.outDir ?? `${studyDir}/${STUDY_FILES.report}`;
  const pictures = options.plots === false ? [] : await writePictures(view.charts, outDir);
  const report: Report = {
    findings: findOut(read.study, read.records),
    ...reportData(read, view, runTableOf(read.records, unitsOf(read.metrics))),
    ...{ viewer, pictures },
  };
  const files = chosen.flatMap((reporter) =>
    reporter.render(report).map(({ path, content }) => write(join(outDir, path), content)),
  );
  files.push(
    ...pictures.flatMap(({ path }) => [path, path.replace(/png$/, "svg")].map((p) => join(outDir, p))),
  );
  return { files, view };
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

function reportersOf(formats: readonly string[]): Reporter[] {
  const names = reporters.map(({ name }) => name);
  return formats.map((format) => {
    const name = SHORT[format] ?? format;
    const found = reporters.find((reporter) => reporter.name === name);
    if (!found)
      throw new UserError(`--format ${format}`, {
        expected: `one or more of ${names.join(", ")}`,
        remedy: suggestion(format, names),
      });
    return found;
  });
}

function write(path: string, content: string | Uint8Array): string {
  makeFolders(dirname(path));
  replaceFile(path, content, { isDurable: false });
  return path;
}

/**
 * Gathers the runs of a study, as it was last launched, into one CSV. Runs of parameters or programs that it
 * had once are left out; whether there can be any, the launches tell.
 */
export function collect(studyDir: string, options: CollectOptions = {}): Promise<Collected> {
  const study = readStudyFile(studyDir);
  const plans = new Set(study?.launches.map((launch) => launch.plan));
  return gather(studyDir, study && plans.size > 1 ? { ...options, keep: isCurrent(study) } : options);
}
