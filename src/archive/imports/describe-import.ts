import { canonicalJson, hashText, shortHash } from "../../core/hash.ts";
import type { Value } from "../../core/params.ts";
import type { MetricInfos, RunRecord } from "../../core/run.ts";
import { type Study, USUAL_LIMITS } from "../../core/study.ts";
import { IMPORT_DIALECT, type Launch, type StudyFile } from "../../core/study-folder.ts";
import { describeMachine, describePackages } from "../../host/environment.ts";
import { BENCHMARK_METRIC } from "./benchmarks.ts";

/** One for all formats: a study may join several, and only runs of its program are read. */
export const IMPORT_PROGRAM = "import@1";

/** How a record's id reads: by agent and model, or by what it has instead. */
export function importLabel(params: RunRecord["params"]): string {
  const isBenchmark = !("agent" in params);
  const names = isBenchmark ? ["commit"] : [...("system" in params ? ["system"] : []), "agent", "model"];
  return [
    ...names.map((name) => `\${${name}}`),
    "${task}",
    isBenchmark ? "session${seed}" : "rollout${seed}",
  ].join("__");
}

/** Whoever broke a task has not solved it, as in rollouts of our own. */
const JUDGED = { unit: "", direction: "maximize", range: [0, 1], failure: "worst", primary: true } as const;
const RESULTS: MetricInfos = {
  score: { ...JUDGED, description: "the reward, or the share of what was asked for; 0 to 1" },
  solved: { ...JUDGED, description: "1 where the score is 1" },
};

interface Import {
  name: string;
  outRoot: string;
  command: string;
  /** Where the results came from. */
  paths: readonly string[];
}

/** study.json of results that other tools made: what varies among them is what the study is about. */
export function describeImport(
  records: readonly RunRecord[],
  { name, outRoot, command, paths }: Import,
  launches: readonly Launch[],
): StudyFile {
  const study = studyOf(records, name, outRoot);
  const text = `${paths.join("\n")}\n`;
  const launch: Launch = {
    at: new Date().toISOString(),
    command,
    specHash: hashText(text),
    program: IMPORT_PROGRAM,
    plan: shortHash(canonicalJson([study.params, study.axes])),
    analysis: study.analysis,
    git: null,
  };
  return {
    format: 1,
    name,
    program: IMPORT_PROGRAM,
    study,
    metrics: RESULTS,
    total: records.length,
    spec: { path: paths[0]!, dialect: IMPORT_DIALECT, hash: launch.specHash, text },
    environment: describeMachine(),
    packages: describePackages("."),
    git: null,
    launches: [...launches, launch],
  };
}

function studyOf(records: readonly RunRecord[], name: string, outRoot: string): Study {
  const params = [...new Set(records.flatMap((record) => Object.keys(record.params)))];
  const cells = distinctCells(records, params);
  const varying = params.filter((_, column) => cells.some((cell) => cell[column] !== cells[0]![column]));
  const fixed = params
    .filter((key) => !varying.includes(key))
    .map((key) => [key, cells[0]?.[params.indexOf(key)]]);
  const rows = cells.map((cell) => varying.map((key) => cell[params.indexOf(key)]!));
  return {
    name,
    target: { kind: "shipped", name: "import" },
    params: Object.fromEntries(fixed.filter(([, value]) => value !== undefined)),
    axes: varying.length > 0 ? [{ names: [...varying], rows }] : [],
    variants: [{ name: "baseline", params: {}, flags: [] }],
    seeds: sorted(records.map(({ seed }) => seed)),
    tasks: [...new Set(records.map(({ task }) => task!))].sort(),
    repeats: { warmup: 0, measured: 1 },
    iterations: { warmup: 0, measured: 1 },
    instruments: [],
    limits: USUAL_LIMITS,
    executor: { kind: "", jobs: 1 },
    artifacts: "all",
    analysis: analysisOf(records),
    outRoot,
    env: {},
    label: importLabel(records[0]?.params ?? {}),
  };
}

/** What the study is about: scores, or durations where it is benchmarks. */
function analysisOf(records: readonly RunRecord[]): Study["analysis"] {
  const isTimed = records.some(({ metrics }) => BENCHMARK_METRIC in metrics);
  return isTimed
    ? { metric: BENCHMARK_METRIC, goal: "minimize", pairBy: ["task"] }
    : { metric: "score", goal: "maximize", pairBy: ["task"] };
}

function distinctCells(records: readonly RunRecord[], names: readonly string[]): Value[][] {
  const cells = new Map(
    records
      .map(({ params }) => names.map((name) => params[name] ?? null))
      .map((row) => [canonicalJson(row), row]),
  );
  return [...cells.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

function sorted(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}
