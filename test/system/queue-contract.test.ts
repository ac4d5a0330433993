import { describe, expect, test } from "vitest";
import { fleetProject, startStudy, startWorker } from "../support/fleet.ts";
import { queueProblem, skipReason, startQueueServer } from "../support/queue-server.ts";

/** What holds on every kind of queue. */
describe.concurrent.each(["redis", "postgres"] as const)("a study on a queue on %s", (kind) => {
  const problem = queueProblem(kind);
  test.skipIf(problem)(`has one record a run, with its files${skipReason(problem)}`, async () => {
    await using server = await startQueueServer(kind);
    await using project = await fleetProject(server);
    await startWorker(project);
    await startWorker(project);
    const { code, stderr } = await startStudy(project).ended;
    expect(stderr).not.toMatch(/refused|bug/);
    expect(code).toBe(0);
    const records = project.records("fleet");
    expect(records.map(({ seed }) => seed).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, i) => i + 1),
    );
    for (const { id, seed, metrics, files } of records) {
      expect(metrics.twice).toBe(2 * seed);
      expect(files).toEqual(["data.txt"]);
      expect(project.read(`bench_runs/fleet/runs/${id}/out/data.txt`)).toBe(String(seed).padEnd(10, "."));
      expect(JSON.parse(project.read(`bench_runs/fleet/runs/${id}/meta.json`)).status).toBe("ok");
      expect(project.read(`bench_runs/fleet/runs/${id}/series.jsonl`)).toContain('"value"');
    }
  });
});
