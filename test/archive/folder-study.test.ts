import { describe, expect, test } from "vitest";
import { studyStatus } from "../../src/api/study-status.ts";
import { latestRecords } from "../../src/archive/read-records.ts";
import { readStudy, viewStudy } from "../../src/read/view-study.ts";
import { TempFolder } from "../support/temp-folder.ts";

const SUMMARY = "makespan_mean_ms,makespan_p50_ms,makespan_p95_ms\n";

/** The folder as the matrix sweep runner leaves it: no journal, no study.json. */
function sweepFolder(): TempFolder {
  const folder = new TempFolder();
  for (const policy of ["fifo_cheapest", "full"])
    for (const seed of [1, 2, 3]) {
      const id = `${policy}__wf5__seed${seed}__baseline__${policy === "full" ? "f" : "0"}123456789a${seed}`;
      const params = { policy, workflows: 5, seed };
      const hasFailed = policy === "full" && seed === 3;
      const times = { start_time_unix_s: 1_700_000_000, wall_time_s: 2, exit_code: hasFailed ? 3 : 0 };
      const meta = {
        run_id: id,
        params,
        ablation_name: "baseline",
        ablation_flags: [],
        ...times,
      };
      folder.write(`runs/${id}/meta.json`, JSON.stringify(meta));
      if (!hasFailed)
        folder.write(
          `runs/${id}/out/summary.csv`,
          `${SUMMARY}${seed},${seed},${policy === "full" ? seed : 9 + seed}\n`,
        );
    }
  const unended = { run_id: "full__wf5__seed4__baseline__0123456789af", params: { policy: "full", seed: 4 } };
  folder.write("runs/full__wf5__seed4/meta.json", JSON.stringify(unended));
  folder.write("runs/notes.txt", "not a run");
  return folder;
}

describe("a folder that another tool wrote", () => {
  test("is read from its runs: whatever has ended, with whose fault a failure is", async () => {
    using folder = sweepFolder();
    const records = latestRecords(folder.path);
    expect(records.map(({ seed, outcome }) => `${seed} ${outcome.status}`)).toEqual([
      ...["1 ok", "2 ok", "3 ok", "1 ok", "2 ok", "3 failed"],
    ]);
    expect(records[0]).toMatchObject({
      params: { policy: "fifo_cheapest", workflows: 5 },
      variant: "baseline",
      metrics: { makespan_mean_ms: 1, makespan_p50_ms: 1, makespan_p95_ms: 10 },
      wallMs: 2000,
    });
    expect(records[5]!.outcome).toEqual({ status: "failed", owner: "agent", reason: "exit 3", exitCode: 3 });
    expect(await studyStatus(folder.path)).toMatchObject({ ok: 5, failed: 1 });
  });

  test("has a report with an answer about what varies among them", async () => {
    using folder = sweepFolder();
    const { study } = await readStudy(folder.path);
    expect(study.study).toMatchObject({
      params: { workflows: 5 },
      axes: [{ names: ["policy"], rows: [["fifo_cheapest"], ["full"]] }],
      seeds: [1, 2, 3],
    });
    const { answer } = await viewStudy(folder.path);
    expect(answer!.sentence).toMatch(/makespan_p95_ms.*full.*fifo_cheapest/);
  });
});
