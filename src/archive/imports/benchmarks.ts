import { failed, type Metrics, OK } from "../../core/run.ts";
import { field, isObject, known, numberAt, textAt } from "../trajectories/json-fields.ts";
import type { ImportedTrial, ImportProblem, ImportReader } from "./import-reader.ts";
import { labelsOf, timeMs } from "./verdict.ts";

/** What a study of imported benchmarks is about: a typical duration, which single slow rounds don't move. */
export const BENCHMARK_METRIC = "median_ms";
const SHORT_COMMIT = 10;

/**
 * What pytest-benchmark saves. A benchmark of one session is one run: its rounds share a process, and what that was lucky
 * with, so they are no runs of their own.
 */
export const pytestBenchmark: ImportReader = {
  name: "pytest-benchmark",
  looksFor: "a .json with machine_info, commit_info and benchmarks",
  claims: (file) => file.name.endsWith(".json") && /^\s*\{\s*"machine_info"/.test(file.head()),
  *read(file): Generator<ImportedTrial | ImportProblem> {
    const session = file.json();
    const all = field(session, "benchmarks");
    if (!Array.isArray(all)) {
      yield { problem: "there are no benchmarks in it" };
      return;
    }
    const at = textAt(session, "datetime");
    const python = textAt(session, "machine_info", "python_version");
    const commit = textAt(session, "commit_info", "id");
    const isDirty = field(session, "commit_info", "dirty") === true;
    for (const benchmark of all) {
      const task = textAt(benchmark, "fullname") ?? textAt(benchmark, "name");
      if (task === null) {
        yield { problem: "a benchmark without a name" };
        continue;
      }
      const stats = field(benchmark, "stats");
      const total = numberAt(stats, "total");
      yield {
        ...benchmarkTrial(task, {
          commit: commit === null ? null : `${commit.slice(0, SHORT_COMMIT)}${isDirty ? "+changes" : ""}`,
          environment: python === null ? null : `python-${python}`,
          machine: textAt(session, "machine_info", "node"),
          at,
        }),
        outcome: OK,
        metrics: {
          ...milliseconds(stats, {
            median: "median",
            mean: "mean",
            min: "min",
            max: "max",
            stddev: "stddev",
          }),
          ...known({ rounds: numberAt(stats, "rounds"), iterations: numberAt(stats, "iterations") }),
        },
        labels: labelsOf({
          group: textAt(benchmark, "group"),
          branch: textAt(session, "commit_info", "branch"),
        }),
        ...known({ startedAtMs: timeMs(at), wallMs: total === undefined ? undefined : total * 1000 }),
      };
    }
  },
};

/** Result files of airspeed velocity: one per commit and environment, each benchmark with one value per combination. */
export const asv: ImportReader = {
  name: "asv",
  looksFor: "results/<machine>/<commit>-<environment>.json of airspeed velocity",
  claims: (file) =>
    file.name.endsWith(".json") &&
    /"commit_hash"/.test(file.head()) &&
    /"env_name"|"result_columns"/.test(file.head()),
  *read(file): Generator<ImportedTrial | ImportProblem> {
    const saved = file.json();
    const results = field(saved, "results");
    if (!isObject(results)) {
      yield { problem: "there are no results in it" };
      return;
    }
    const columns = field(saved, "result_columns");
    const names = Array.isArray(columns) ? columns.map(String) : ["result", "params"];
    const commit = textAt(saved, "commit_hash")!.slice(0, SHORT_COMMIT);
    const environment = textAt(saved, "env_name");
    const machine = textAt(saved, "params", "machine");
    for (const [name, told] of Object.entries(results)) {
      // As asv writes them: a list in the order of the columns; in old files an object, or the bare value.
      const cells = Array.isArray(told)
        ? Object.fromEntries(names.map((column, i) => [column, told[i]]))
        : isObject(told)
          ? told
          : { result: [told] };
      const values = Array.isArray(cells.result) ? cells.result : [cells.result];
      const combinations = combine(Array.isArray(cells.params) ? cells.params : []);
      const startedAtMs = typeof cells.started_at === "number" ? cells.started_at : undefined;
      for (const [i, value] of values.entries()) {
        const task = combinations.length > 1 ? `${name}(${combinations[i] ?? i})` : name;
        const number = typeof value === "number" ? value : undefined;
        yield {
          ...benchmarkTrial(task, { commit, environment, machine, at: String(startedAtMs ?? "") }),
          outcome: number === undefined ? failed("agent", "asv has no result of it") : OK,
          metrics: number === undefined ? {} : asvMetric(name, number),
          labels: {},
          ...known({ startedAtMs }),
        };
      }
    }
  },
};

/** asv knows the kind of a benchmark by how its name begins. */
function asvMetric(name: string, value: number): Metrics {
  const kind = /^(timeraw|time|peakmem|mem|track)/.exec(name.split(".").at(-1)!)?.[1];
  if (kind === "time" || kind === "timeraw") return { [BENCHMARK_METRIC]: value * 1000 };
  return kind === "mem" || kind === "peakmem" ? { [`${kind}_bytes`]: value } : { value };
}

/** The values of all combinations, in the order in which asv writes their results. */
function combine(params: readonly unknown[]): string[] {
  return params.reduce<string[]>(
    (texts, values) =>
      Array.isArray(values)
        ? texts.flatMap((text) => values.map((value) => (text === "" ? String(value) : `${text}, ${value}`)))
        : texts,
    [""],
  );
}

function benchmarkTrial(
  task: string,
  where: { commit: string | null; environment: string | null; machine: string | null; at: string | null },
): Pick<ImportedTrial, "key" | "task" | "agent" | "model" | "params"> {
  const { commit, environment, machine, at } = where;
  return {
    key: [machine, environment, commit, at, task].join("/"),
    ...{ task, agent: null, model: null },
    params: {
      commit: commit ?? "unknown",
      environment: environment ?? "unknown",
      machine: machine ?? "unknown",
    },
  };
}

function milliseconds(stats: unknown, names: Record<string, string>): Metrics {
  const entries = Object.entries(names).flatMap(([name, theirs]): [string, number][] => {
    const seconds = numberAt(stats, theirs);
    return seconds === undefined ? [] : [[`${name}_ms`, seconds * 1000]];
  });
  return Object.fromEntries(entries);
}
