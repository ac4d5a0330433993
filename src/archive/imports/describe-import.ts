import { canonicalJson, hashText, shortHash } from "../../core/hash.ts";
import type { Value } from "../../core/params.ts";
import type { RunRecord } from "../../core/run.ts";
import type { Study } from "../../core/study.ts";
import type { Launch, StudyFile } from "../../core/study-file.ts";
import { describeMachine, describePackages } from "../../host/environment.ts";

/** One for all formats: a study may join several, and only runs of its program are read. */
export const IMPORT_PROGRAM = "import@1";
export const IMPORT_DIALECT = "import";
export const IMPORT_LABEL = "${agent}__${model}__${task}__rollout${seed}";
const NAMES = ["agent", "model"] as const;

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
    total: records.length,
    spec: { path: paths[0]!, dialect: IMPORT_DIALECT, hash: launch.specHash, text },
    environment: describeMachine(),
    packages: describePackages("."),
    git: null,
    launches: [...launches, launch],
  };
}

function studyOf(records: readonly RunRecord[], name: string, outRoot: string): Study {
  const cells = distinctCells(records);
  const varying = NAMES.filter((_, column) => cells.some((cell) => cell[column] !== cells[0]![column]));
  const fixed = NAMES.filter((key) => !varying.includes(key)).map((key) => [
    key,
    cells[0]?.[NAMES.indexOf(key)],
  ]);
  const rows = cells.map((cell) => varying.map((key) => cell[NAMES.indexOf(key)]!));
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
    limits: { timeoutMs: 0, graceMs: 5000, retries: 0, backoffMs: 1000, stdoutBytes: 10_000_000 },
    executor: { kind: "", jobs: 1 },
    artifacts: "all",
    analysis: { metric: "score", goal: "maximize", pairBy: ["task"] },
    outRoot,
    env: {},
    label: IMPORT_LABEL,
  };
}

function distinctCells(records: readonly RunRecord[]): Value[][] {
  const cells = new Map(
    records.map(({ params }) => NAMES.map((name) => params[name]!)).map((row) => [canonicalJson(row), row]),
  );
  return [...cells.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

function sorted(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}
