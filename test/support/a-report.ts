import { type Findings, findOut } from "../../src/analysis/findings.ts";
import type { RunRecord } from "../../src/core/run.ts";
import type { StudyFile } from "../../src/core/study-folder.ts";
import { designOf } from "../../src/design/design.ts";
import { chartsOf } from "../../src/reporters/charts/index.ts";
import type { Report } from "../../src/reporters/reporter.ts";
import { runTableOf } from "../../src/reporters/run-table.ts";
import type { RunView } from "../../src/reporters/study-view.ts";
import { viewOf } from "../../src/reporters/view-of.ts";

/** What reporters get, from records in memory; every run is in it in full. */
export function aReport(
  file: StudyFile,
  records: RunRecord[],
  part: { answer?: Partial<NonNullable<Report["data"]["view"]["answer"]>>; detail?: Partial<RunView> } = {},
): Report {
  const findings: Findings = findOut(file, records);
  const source = { label: file.name, dir: "", study: file.study, records };
  const design = designOf([source]);
  const metrics = [...new Set(records.flatMap((record) => Object.keys(record.metrics)))].map((name) => ({
    ...{ name, unit: null, goal: null },
  }));
  const metric = metrics.find(({ name }) => name === findings.metric) ?? null;
  const charts = chartsOf({
    study: file.name,
    source,
    design,
    metric,
    metrics,
    comparisons: [],
    curves: [],
  });
  const answer = part.answer && {
    ...{
      sentence: "",
      method: "",
      standing: { status: part.answer.status ?? ("planned" as const), why: "" },
      verdict: "unknown" as const,
      others: [],
      also: [],
      leader: null,
      arms: [],
      warnings: [],
    },
    ...{ comparisons: [], ...part.answer },
  };
  const view = viewOf(findings, { id: "", answer: answer ?? null, design, metric, charts });
  const details = Object.fromEntries(records.map((record) => [record.id, detailOf(record, part.detail)]));
  const data = { view, runs: runTableOf(records), details, left: 0 };
  return {
    findings,
    data,
    encoded: { data: { encoding: "plain", text: JSON.stringify(data) }, runs: null },
    viewer: { script: 'console.log("</script> & <!-- kept")', style: "body { margin: 0 }" },
    pictures: charts.map(({ id, title }) => ({ title, path: `assets/${id}.png` })),
  };
}

function detailOf(record: RunRecord, part: Partial<RunView> = {}): RunView {
  const { id, params, variant, flags, seed, task, repeat, outcome, attempt, startedAtMs, wallMs } = record;
  return {
    ...{ id, params, variant, flags, seed, task, repeat, outcome, attempt, startedAtMs, wallMs },
    ...{ earlier: [], metrics: [], labels: {}, warnings: [], costUsd: null, series: null },
    ...{ stdout: null, stderr: null, files: [], texts: [], command: "", ...part },
  };
}
