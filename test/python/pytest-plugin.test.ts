import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { currentRecords } from "../../src/archive/read-records.ts";
import { root } from "../support/doc-pages.ts";
import { missingModules, python, whyNot } from "../support/python-packages.ts";
import { TempFolder } from "../support/temp-folder.ts";

const BENCH = `
import pytest

@pytest.mark.parametrize("n", [10, 1000])
def test_sort(benchmark, n):
    assert benchmark(sorted, range(n, 0, -1))[0] == 1

def test_sum(benchmark):
    assert benchmark.pedantic(sum, args=([1, 2],), rounds=5, iterations=2) == 3
`;

const missing = missingModules(["pytest"]);
const noBenchmark = missingModules(["pytest_benchmark"]);

describe.skipIf(missing.length > 0)(`the pytest plugin${whyNot(missing)}`, () => {
  const session = (folder: TempFolder, ...words: string[]) =>
    execFileSync(python, ["-m", "pytest", "-p", "assay_pytest", "--assay", "mine", ...words], {
      cwd: folder.path,
      encoding: "utf8",
      env: { ...process.env, PYTHONPATH: `${root}/python` },
    });
  const told = (folder: TempFolder) =>
    currentRecords(`${folder.path}/bench_runs/mine`).map(({ task, seed }) => `${task} ${seed}`);

  test.skipIf(noBenchmark.length > 0)(
    `keeps what pytest-benchmark times, each session as one more run${whyNot(noBenchmark)}`,
    () => {
      using folder = new TempFolder({ "test_b.py": BENCH });
      expect(session(folder, "--benchmark-max-time=0.01")).toContain("mine: 3 new");
      session(folder, "--benchmark-max-time=0.01");
      const tasks = ["test_b.py::test_sort[1000]", "test_b.py::test_sort[10]", "test_b.py::test_sum"];
      expect(told(folder).sort()).toEqual(tasks.flatMap((task) => [`${task} 1`, `${task} 2`]));
    },
  );

  test("has a benchmark fixture of its own where pytest-benchmark is not there", () => {
    // A folder in front whose pytest_benchmark can't be imported.
    using folder = new TempFolder({
      "test_b.py": BENCH,
      "conftest.py": "",
      "front/pytest_benchmark/__init__.py": "raise ImportError('not here')",
    });
    const out = execFileSync(
      python,
      ["-m", "pytest", "-p", "no:benchmark", "-p", "assay_pytest", "--assay", "mine", "test_b.py"],
      {
        cwd: folder.path,
        encoding: "utf8",
        env: {
          ...process.env,
          PYTHONPATH: `${folder.path}/front:${root}/python`,
          PYTEST_DISABLE_PLUGIN_AUTOLOAD: "1",
        },
      },
    );
    expect(out).toContain("mine: 3 new");
    const [first] = currentRecords(`${folder.path}/bench_runs/mine`);
    expect(first!.metrics.median_ms).toBeGreaterThan(0);
  });
});
