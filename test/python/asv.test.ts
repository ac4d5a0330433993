import { execFileSync } from "node:child_process";
import { delimiter } from "node:path";
import { afterAll, expect, test } from "vitest";
import { assayPath } from "../support/launch.ts";
import { missingModules, pythonBin, whyNot } from "../support/python-packages.ts";
import { TempFolder } from "../support/temp-folder.ts";

const BENCHMARKS = `
class Sorting:
    params = [[100, 1000], ["random", "reversed"]]
    param_names = ["size", "order"]
    def setup(self, size, order):
        self.values = list(range(size, 0, -1))
    def time_sort(self, size, order):
        sorted(self.values)
def peakmem_list():
    return [0] * 1000
def track_answer():
    return 42
def time_breaks():
    raise ValueError("no")
`;
const SETTINGS = {
  ...{ version: 1, project: "demo", repo: ".", branches: ["HEAD"], benchmark_dir: "benchmarks" },
  ...{ results_dir: "results", environment_type: "existing" },
};

const folder = new TempFolder({
  "benchmarks/__init__.py": "",
  "benchmarks/bench.py": BENCHMARKS,
  "asv.conf.json": JSON.stringify(SETTINGS),
});
afterAll(() => folder[Symbol.dispose]());
const env = {
  ...process.env,
  HOME: folder.path,
  PATH: `${pythonBin}${delimiter}${process.env.PATH}`,
  ...{ GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@b" },
};
const call = (program: string, ...words: string[]) =>
  execFileSync(program, words, {
    cwd: folder.path,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });

const missing = missingModules(["asv", "virtualenv"]);
test.skipIf(missing.length > 0)(
  `what airspeed velocity measured of two commits is imported and compared${whyNot(missing)}`,
  () => {
    call("git", "init", "-q");
    call("git", "add", ".");
    call(`${pythonBin}/asv`, "machine", "--yes");
    const commits = ["one", "two"].map((name) => {
      call("git", "commit", "-qm", name, "--allow-empty");
      const commit = call("git", "rev-parse", "HEAD").trim();
      try {
        call(`${pythonBin}/asv`, "run", "--python=same", "--set-commit-hash", commit, "--quick");
      } catch (error) {
        // One benchmark breaks, and asv says so by its exit code.
        expect((error as { status?: number }).status).toBe(2);
      }
      return commit.slice(0, 10);
    });
    const assay = (...words: string[]) => call(process.execPath, assayPath, ...words);
    expect(assay("import", "results")).toContain("14 new (14 of asv)");
    const rows = JSON.parse(
      assay("query", "results", "SELECT * FROM runs ORDER BY start_time_unix_s, task", "--json"),
    ) as { task: string; commit: string; status: string; median_ms: number | null; value: number | null }[];
    for (const commit of commits) {
      const own = rows.filter((row) => row.commit === commit);
      const timed = own.filter(({ median_ms }) => median_ms !== null);
      expect(timed.map(({ task }) => task)).toEqual([
        "bench.Sorting.time_sort(100, 'random')",
        "bench.Sorting.time_sort(100, 'reversed')",
        "bench.Sorting.time_sort(1000, 'random')",
        "bench.Sorting.time_sort(1000, 'reversed')",
      ]);
      expect(timed.every(({ median_ms }) => median_ms! > 0 && median_ms! < 1000)).toBe(true);
      expect(own.find(({ task }) => task === "bench.track_answer")).toMatchObject({ value: 42 });
      expect(own.find(({ task }) => task === "bench.time_breaks")).toMatchObject({ status: "failed" });
    }
    expect(assay("compare", "results", "--by", "commit")).toContain("4 tasks in both arms, paired by task");
  },
);
