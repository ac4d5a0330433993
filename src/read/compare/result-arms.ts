import { basename, dirname } from "node:path";
import { ArmBook } from "../../analysis/compare/arm-book.ts";
import { isResult, type ResultRun } from "../../archive/read-result.ts";
import { UserError } from "../../core/errors.ts";
import { canonicalJson } from "../../core/hash.ts";
import { suggestion } from "../../core/suggest.ts";
import type { ArmSet } from "../../design/arm-set.ts";
import type { Circumstances } from "../../design/confounders.ts";
import { metricFacts } from "../../design/metric.ts";
import { readJson } from "../../host/files.ts";
import type { CompareRequest } from "./request.ts";

const DURATION = "duration_s";

/**
 * Makes an arm of each result.json: its iterations are the values. They share one process and one setup, so what
 * differs between processes is not in their spread; several runs compared as studies say more.
 */
export function resultArms(paths: readonly string[], request: CompareRequest): ArmSet[] {
  const results = paths.map((path) => ({ path, run: read(path) }));
  const known = new Set([DURATION, ...results.flatMap(({ run }) => metricNames(run))]);
  for (const name of request.metrics ?? []) {
    if (!known.has(name))
      throw new UserError(`no result has a metric "${name}"`, { remedy: suggestion(name, known) });
  }
  const names = request.metrics ?? [DURATION];
  const book = new ArmBook(
    names.map((name) => {
      const goal = request.goals?.[name] ?? request.goal ?? (name === DURATION ? "minimize" : undefined);
      return metricFacts(name, { asked: { goal } });
    }),
  );
  const twice = paths.find((path, i) => paths.indexOf(path) < i);
  if (twice !== undefined) throw new UserError(`${twice} is named twice`, { expected: "two different runs" });
  const labels = armNames(paths);
  for (const [i, { run }] of results.entries()) {
    const arm = labels[i]!;
    for (const { index, duration_s, metrics } of run.iteration_metrics) {
      const values = names.map((name) => (name === DURATION ? duration_s : (metrics[name] ?? null)));
      book.add({ id: `iteration ${index} of ${arm}`, arm, part: null, unit: null }, values);
    }
    if (run.status !== "ok") {
      const id = `the rest of ${arm} (${run.status})`;
      book.add(
        { id, arm, part: null, unit: null, owner: "agent" },
        names.map(() => null),
      );
    }
  }
  return book.sets({ keys: [], hasRollouts: false, isAsked: false });
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

function metricNames({ iteration_metrics: iterations }: ResultRun): string[] {
  return iterations.flatMap(({ metrics }) => Object.keys(metrics));
}

/** As short as tells them apart: the file, the run's folder, the study's folder with it, the whole path. */
export function armNames(paths: readonly string[]): string[] {
  const ways = [
    (path: string) => basename(path, ".json"),
    (path: string) => basename(dirname(path)),
    (path: string) => `${basename(dirname(dirname(dirname(path))))}/${basename(dirname(path))}`,
  ];
  const names = ways.map((way) => paths.map(way)).find((list) => new Set(list).size === list.length);
  return names ?? [...paths];
}
