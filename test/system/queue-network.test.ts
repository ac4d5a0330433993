import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { FarHost, farHostProblem } from "../support/far-host.ts";
import { fleetProject, startStudy, startWorker } from "../support/fleet.ts";
import { assayPath } from "../support/launch.ts";
import { queueProblem, startQueueServer } from "../support/queue-server.ts";
import { waitFor } from "../support/wait-for.ts";

/** Longer than a lease; `ASSAY_CUT_MS=30000` makes it half a minute. */
const CUT_MS = Number(process.env.ASSAY_CUT_MS ?? 0);

describe.each(["redis", "postgres"] as const)("a worker on another host, with a queue on %s", (kind) => {
  const problem = queueProblem(kind) ?? farHostProblem();
  test.skipIf(problem)(
    `is cut off, loses its run to another and comes back by itself${problem ? ` (${problem})` : ""}`,
    async () => {
      using host = new FarHost();
      await using server = await startQueueServer(kind, { host: host.nearAddress });
      await using project = await fleetProject(server);
      const marks = project.path("marks");
      project.write(
        "study.yaml",
        `study: fleet\ntarget: ./step.ts\nparams: {holds: true, marks: ${marks}}\nseeds: 3\n`,
      );
      const triesOf = (seed: string) =>
        project.lines("marks").filter((line) => line.startsWith(`${seed} `)).length;
      const far = project.launch(
        host.on([process.execPath, assayPath, "worker", "--jobs", "1", "--lease", "2"]),
      );
      await waitFor("the far worker", () => far.stderr.includes("waits for runs"));
      const study = startStudy(project);
      await waitFor("its first run", () => project.lines("marks").length === 1);
      const [seed] = project.lines("marks")[0]!.split(" ");
      host.cut();
      const cutAt = performance.now();
      const near = await startWorker(project);
      await waitFor("another try at it", () => {
        // The near worker may have taken another run first.
        for (const other of ["1", "2", "3"])
          if (other !== seed && triesOf(other) > 0) writeFileSync(`${marks}.${other}`, "");
        return triesOf(seed!) === 2;
      });
      writeFileSync(`${marks}.${seed}`, "");
      await waitFor("its record", () =>
        project.lines("bench_runs/fleet/journal.jsonl").some((line) => line.includes(`"seed":${seed},`)),
      );
      await waitFor("the end of the cut", () => performance.now() - cutAt > CUT_MS);
      near.kill("SIGKILL");
      host.mend();
      for (const n of [1, 2, 3]) writeFileSync(`${marks}.${n}`, "");
      const { code } = await study.ended;
      expect(code).toBe(0);
      const records = project.records("fleet");
      expect(records.map((one) => one.seed).sort()).toEqual([1, 2, 3]);
      far.kill("SIGTERM");
      expect((await far.ended).stdout).toMatch(/did [1-3] run/);
      const late = project.lines("bench_runs/fleet/late.jsonl").map((line) => JSON.parse(line));
      for (const one of late) expect(one).toMatchObject({ attempt: 2 });
    },
  );
});
