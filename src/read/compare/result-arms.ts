import { basename, dirname } from "node:path";
import { ArmBook } from "../../analysis/compare/arm-book.ts";
import { isResult, type ResultRun } from "../../archive/read-result.ts";
import { UserError } from "../../core/errors.ts";
import { shellWord } from "../../core/escape.ts";
import { canonicalJson } from "../../core/hash.ts";
import type { Params } from "../../core/params.ts";
import type { Metrics } from "../../core/run.ts";
import { suggestion } from "../../core/suggest.ts";
import type { ArmSet } from "../../design/arm-set.ts";
import type { Circumstances } from "../../design/confounders.ts";
import { metricFacts, metricValue } from "../../design/metric.ts";
import { comparedAs, WAITING } from "../../design/statistic.ts";
import { readJson } from "../../host/files.ts";
import { moments } from "../../stats/summaries/moments.ts";
import { quantileOfSorted } from "../../stats/summaries/quantiles.ts";
import type { CompareRequest } from "./request.ts";

const DURATION = "duration_s";

/**
 * Makes arms of result.json files. A file is one start of a program, so it counts as one value, whatever number of
 * iterations it has: they share a process, its memory layout and the minute in which it ran. Files that differ in
 * nothing but their seed and repeat are starts of one arm; else each file is one.
 */
export function resultArms(paths: readonly string[], request: CompareRequest): ResultArms {
  const twice = paths.find((path, i) => paths.indexOf(path) < i);
  if (twice !== undefined) throw new UserError(`${twice} is named twice`, { expected: "two different runs" });
  const runs = paths.map(read);
  const records = runs.map((run) => ({ metrics: statisticsOf(run) }));
  const known = new Set([DURATION, ...records.flatMap(({ metrics }) => Object.keys(metrics))]);
  for (const name of request.metrics ?? []) {
    if (!known.has(name) && !known.has(name.replace(/_mean$/, "")))
      throw new UserError(`no result has a metric "${name}"`, { remedy: suggestion(name, known) });
  }
  const chosen = (request.metrics ?? [DURATION]).map((name) => comparedAs(name, records, { asked: request }));
  const book = new ArmBook(chosen.map(({ name }) => metricFacts(name, { asked: request })));
  const labels = startNames(paths, runs);
  for (const [i, { status, run_id }] of runs.entries()) {
    const place = { id: `${run_id} ${i}`, arm: labels[i]!, part: null, unit: null };
    if (status !== "ok")
      book.add(
        { ...place, owner: "agent" },
        chosen.map(() => null),
      );
    else
      book.add(
        place,
        chosen.map(({ name }) => metricValue(records[i]!.metrics, name)),
      );
  }
  return {
    sets: book.sets({ keys: [], hasRollouts: false, isAsked: false }),
    notes: chosen.flatMap(({ why }) => why ?? []),
    runs,
    labels,
  };
}

export interface ResultArms {
  sets: ArmSet[];
  /** Which number of each run was compared. */
  notes: string[];
  /** In the order of the files. */
  runs: ResultRun[];
  labels: string[];
}

/** What the journal has of such a run: the statistics over its iterations. */
function statisticsOf(run: ResultRun): Metrics {
  const metrics: Metrics = {};
  const names = new Set(run.iteration_metrics.flatMap(({ metrics: own }) => Object.keys(own)));
  for (const name of [DURATION, ...names]) {
    const values = run.iteration_metrics.flatMap(
      (one) => (name === DURATION ? one.duration_s : one.metrics[name]) ?? [],
    );
    if (values.length === 0) continue;
    const sorted = Float64Array.from(values).sort();
    const { mean, variance } = moments(values);
    metrics[name] = mean;
    if (values.length < 2 || variance === 0) continue;
    metrics[`${name}_min`] = sorted[0]!;
    for (const [word, share] of QUANTILES) metrics[`${name}_${word}`] = quantileOfSorted(sorted, share);
    metrics[`${name}_sd`] = Math.sqrt(variance);
    metrics[`${name}_n`] = values.length;
  }
  const waiting = run.metrics?.[WAITING]?.mean;
  if (waiting !== undefined) metrics[WAITING] = waiting;
  return metrics;
}

const QUANTILES = [
  ["p05", 0.05],
  ["p25", 0.25],
  ["p50", 0.5],
  ["p95", 0.95],
] as const;

/** By file, or where several files are starts of the same thing, by study and by what tells its settings apart. */
function startNames(paths: readonly string[], runs: readonly ResultRun[]): string[] {
  const keys = runs.map(({ name, parameters, variant, task, program, vcs }) =>
    canonicalJson({
      name,
      parameters,
      variant,
      task,
      program,
      code: [vcs?.commit, vcs?.diff_hash],
    } as Params),
  );
  const groups = new Set(keys).size;
  if (groups === 1 || groups === keys.length) return armNames(paths);
  const words = runs.map((run) => ({
    study: run.name,
    ...run.parameters,
    variant: run.variant,
    task: run.task,
  }));
  const varying = [...new Set(words.flatMap((word) => Object.keys(word)))].filter(
    (name) => new Set(words.map((word) => textOf(word[name as keyof typeof word]))).size > 1,
  );
  const names = words.map((word) =>
    varying
      .map((name) => {
        const text = textOf(word[name as keyof typeof word]);
        return name === "study" ? text : `${name}=${text}`;
      })
      .join(", "),
  );
  // What can't be named by its settings is another state of the code.
  return new Set(names).size === groups ? names : keys.map((key) => armNames(paths)[keys.indexOf(key)]!);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

/** What would tell two single starts apart from two settings: the command, where the files say enough. */
export function moreStarts({ runs, labels }: ResultArms): string {
  const [a, b] = runs as [ResultRun, ResultRun];
  const spec = a.spec?.path;
  const isOneStudy = spec !== undefined && a.name === b.name && spec === b.spec?.path;
  if (isOneStudy && a.program === b.program)
    return `To know, start each several times in turns: \`assay run ${shellWord(spec)} --seeds 10\`, then \`assay compare ${shellWord(a.name)}\`.`;
  const names = [...new Set(labels)].slice(0, 2).map(shellWord);
  const each = `assay run ${shellWord(spec ?? "SPEC")} --seeds $i..$i --exp-name`;
  return `To know, start each several times in turns: \`for i in $(seq 10); do (cd BASE && ${each} ${names[0]}); (cd HEAD && ${each} ${names[1]}); done\`, then \`assay compare ${names.join(" ")}\`.`;
}

/** What a single run was measured with. */
export function resultCircumstances(run: ResultRun): Circumstances {
  const { parameters = {}, variant, task, environment = {}, program = "", vcs, iterations } = run;
  const levels = { ...parameters, ...(variant && { variant }), ...(task && { task }) };
  return {
    code: [program, vcs?.commit ?? "", vcs?.diff_hash ?? ""].join(" "),
    machine: environment,
    setup: { ...(iterations && { iterations }) },
    params: Object.fromEntries(
      Object.entries(levels).map(([name, value]) => [
        name,
        [typeof value === "string" ? value : canonicalJson(value)],
      ]),
    ),
  };
}

function read(path: string): ResultRun {
  const content = readJson(path);
  if (isResult(content)) return content;
  throw new UserError(path, {
    expected: "a run's result.json, as the first file is",
    got: "other JSON",
    remedy: "Compare hyperfine exports only with each other.",
  });
}

/** As short as tells them apart: the file, the run's folder, the study's folder with it, the whole path. */
function armNames(paths: readonly string[]): string[] {
  const ways = [
    (path: string) => basename(path, ".json"),
    (path: string) => basename(dirname(path)),
    (path: string) => `${basename(dirname(dirname(dirname(path))))}/${basename(dirname(path))}`,
  ];
  const names = ways.map((way) => paths.map(way)).find((list) => new Set(list).size === list.length);
  return names ?? [...paths];
}
