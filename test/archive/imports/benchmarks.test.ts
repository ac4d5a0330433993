import { describe, expect, test } from "vitest";
import { importResults } from "../../../src/api/import-results.ts";
import { readTrials } from "../../../src/archive/imports/read-trials.ts";
import { currentRecords } from "../../../src/archive/read-records.ts";
import { TempFolder } from "../../support/temp-folder.ts";

function session(commit: string, at: string, seconds: number): string {
  const stats = {
    median: seconds,
    mean: seconds * 1.1,
    min: seconds,
    max: seconds * 2,
    stddev: 0,
    rounds: 50,
    total: 1,
  };
  return JSON.stringify({
    machine_info: { node: "box", python_version: "3.12.1" },
    commit_info: { id: commit.repeat(40), dirty: false, branch: "main" },
    benchmarks: ["a", "b"].map((name) => ({ group: null, name, fullname: `test_x.py::${name}`, stats })),
    datetime: at,
  });
}

/** As asv 0.6 writes it: two combinations of one benchmark, of which one failed, and a memory benchmark. */
const ASV = JSON.stringify({
  commit_hash: "c".repeat(40),
  env_name: "virtualenv-py3.12",
  date: 1_700_000_000_000,
  params: { machine: "box" },
  result_columns: ["result", "params", "version", "started_at", "duration"],
  results: {
    "bench.Sort.time_sort": [[0.002, null], [["10", "1000"]], "v1", 1_700_000_001_000, 2.5],
    "bench.peakmem_list": [[50_000_000], [], "v1", 1_700_000_002_000, 1],
  },
  version: 2,
});

describe("benchmarks of other tools", () => {
  test("pytest-benchmark: a benchmark of one session is one run, and sessions of one commit are repeats", async () => {
    using folder = new TempFolder({
      "1.json": session("a", "2026-01-01T00:00:00+00:00", 0.002),
      "2.json": session("a", "2026-01-02T00:00:00+00:00", 0.0022),
      "3.json": session("b", "2026-01-03T00:00:00+00:00", 0.001),
    });
    const outRoot = `${folder.path}/out`;
    const paths = ["1.json", "2.json", "3.json"].map((name) => `${folder.path}/${name}`);
    const summary = await importResults(paths, { name: "bench", outRoot });
    expect(summary).toMatchObject({ added: 6, total: 6, missing: 0, formats: { "pytest-benchmark": 6 } });
    expect(await importResults(paths, { name: "bench", outRoot })).toMatchObject({ added: 0, known: 6 });
    const records = currentRecords(`${outRoot}/bench`);
    expect(records).toHaveLength(6);
    const one = records.filter(
      ({ task, params }) => task === "test_x.py::a" && params.commit === "aaaaaaaaaa",
    );
    expect(one.map(({ seed, metrics }) => [seed, metrics.median_ms])).toEqual([
      [1, 2],
      [2, 2.2],
    ]);
    expect(one[0]!.params).toEqual({ commit: "aaaaaaaaaa", environment: "python-3.12.1", machine: "box" });
  });

  test("asv: each combination of parameters is a task, and one without a result has failed", () => {
    using folder = new TempFolder({ "results/box/cccccccc-virtualenv-py3.12.json": ASV });
    const { trials, warnings } = readTrials([folder.path]);
    expect(warnings).toEqual([]);
    expect(
      trials.map(({ format, trial }) => [format, trial.task, trial.outcome.status, trial.metrics]),
    ).toEqual([
      ["asv", "bench.Sort.time_sort(10)", "ok", { median_ms: 2 }],
      ["asv", "bench.Sort.time_sort(1000)", "failed", {}],
      ["asv", "bench.peakmem_list", "ok", { peakmem_bytes: 50_000_000 }],
    ]);
    expect(trials[0]!.trial.params).toMatchObject({ commit: "cccccccccc", environment: "virtualenv-py3.12" });
  });
});
