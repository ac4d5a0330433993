import type { Comparison } from "../analysis/compare/comparison.ts";
import { readStudyFile } from "../archive/read-records.ts";
import { UserError } from "../core/errors.ts";
import type { StudyFile } from "../core/study-folder.ts";
import { withoutStatistics } from "../design/metric.ts";
import { comparedAs } from "../design/statistic.ts";
import { compareSources } from "../read/compare/compare-runs.ts";
import type { ReadStudy } from "../read/view-study.ts";
import { pairsOf } from "../reporters/charts/difference-charts.ts";
import type { ChartView, StudiesView } from "../reporters/study-view.ts";
import type { StudyPlace } from "./compute-view.ts";
import type { KnownStudies } from "./known-studies.ts";

const MOST_LETTERS = 200;

/**
 * So many metrics are compared at most, the declared ones first: each one more makes all claims more careful, and
 * takes 50 ms where studies have 10,000 runs.
 */
const MOST_METRICS = 8;

type Found = Pick<StudiesView, "comparisons" | "charts">;

/** Two studies side by side, but for their cards: what differs in how they were made, and in what they found. */
export async function compareView(
  a: StudyPlace,
  b: StudyPlace,
  known: KnownStudies,
): Promise<Omit<StudiesView, "a" | "b">> {
  if (a.dir === b.dir) {
    const sentence = "This is one study twice. Choose two different ones.";
    return {
      changes: [],
      comparisons: [{ metric: "", unit: null, sentence, method: "", warnings: [] }],
      charts: [],
    };
  }
  const changes = studyDifferences(readStudyFile(a.dir), readStudyFile(b.dir));
  try {
    return { changes, ...(await compare([a.id, await known.read(a.dir)], [b.id, await known.read(b.dir)])) };
  } catch (error) {
    // Studies that have nothing to compare, or too little yet, still have cards and changes.
    if (!(error instanceof UserError)) throw error;
    const why = { metric: "", unit: null, sentence: error.message, method: "", warnings: [] };
    return { changes, comparisons: [why], charts: [] };
  }
}

async function compare(...sides: [string, ReadStudy][]): Promise<Found> {
  const [a, b] = sides.map(([, read]) => read) as [ReadStudy, ReadStudy];
  const facts = new Map(a.metrics.map((metric) => [metric.name, metric]));
  const shared = b.metrics.map(({ name }) => name).filter((name) => facts.has(name));
  if (shared.length === 0) return { comparisons: [], charts: [] };
  const declared = [a, b].flatMap(({ study, records }) => {
    const { analysis } = study.study;
    return analysis.metric === undefined ? [] : comparedAs(analysis.metric, records, { analysis }).name;
  });
  const own = declared.filter((name) => shared.includes(name));
  const metrics = [...new Set([...own, ...withoutStatistics(shared)])];
  const goals = [...facts.values()].flatMap(({ name, goal }) => (goal ? [[name, goal] as const] : []));
  const { compared } = await compareSources(
    sides.map(([label, { studyDir: dir, study, records }]) => ({ label, dir, study, records })),
    { metrics: metrics.slice(0, MOST_METRICS), goals: Object.fromEntries(goals), withPower: false },
  );
  const left =
    metrics.length > MOST_METRICS
      ? [
          `The first ${MOST_METRICS} of the ${metrics.length} metrics that both have; \`assay compare --metric NAME\` compares any.`,
        ]
      : [];
  const { comparisons, warnings } = compared;
  return {
    comparisons: comparisons.map(({ metric, sentence, method, pairing, warnings: own }) => ({
      metric,
      unit: facts.get(metric)?.unit ?? null,
      sentence,
      method: [method && `${method.name}: ${method.why}.`, pairing.note].filter(Boolean).join(" "),
      warnings: [...[...own, ...warnings].map(({ text }) => text), ...left],
    })),
    charts: comparisons.flatMap((comparison) => chartOf(comparison, facts)),
  };
}

function chartOf(comparison: Comparison, facts: Map<string, ReadStudy["metrics"][number]>): ChartView[] {
  const { metric } = comparison;
  const chart = pairsOf(comparison, { metric: facts.get(metric)!, where: "" });
  return chart ? [{ id: `paired_${metric}`, ...chart }] : [];
}

/** What stands in one study file and not, or otherwise, in the other; then program, code and machine. */
function studyDifferences(a: StudyFile | undefined, b: StudyFile | undefined): StudiesView["changes"] {
  const [before, after] = [factsOf(a), factsOf(b)];
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names
    .map((what) => ({ what, a: before.get(what) ?? "", b: after.get(what) ?? "" }))
    .filter((change) => change.a !== change.b);
}

function factsOf(file: StudyFile | undefined): Map<string, string> {
  const facts = new Map<string, string>();
  if (!file) return facts;
  const { name: _, outRoot: __, axes, variants, ...rest } = file.study;
  collect("", rest, facts);
  for (const { names, rows } of axes)
    facts.set(`axis ${names.join(", ")}`, textOf(rows.map((row) => (row.length === 1 ? row[0] : row))));
  for (const { name, params, flags } of variants)
    facts.set(`variant ${name}`, textOf({ ...params, ...(flags.length > 0 && { flags }) }));
  facts.set("program", file.program);
  facts.set(
    "commit",
    `${file.git?.commit ?? "none"}${file.git?.dirty === true ? ", with uncommitted changes" : ""}`,
  );
  collect("machine", file.environment, facts);
  return facts;
}

/** Every value by its way, `limits.timeoutMs`; lists are one value. */
function collect(way: string, value: unknown, facts: Map<string, string>): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    facts.set(way, textOf(value));
    return;
  }
  for (const [name, inner] of Object.entries(value))
    collect(way === "" ? name : `${way}.${name}`, inner, facts);
}

function textOf(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS)} …` : text;
}
