import { appendFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fleetProject, holdingStudy, SAFE_LEASE, startStudy, startWorker } from "../support/fleet.ts";
import { queueProblem, skipReason, startQueueServer } from "../support/queue-server.ts";
import { waitFor } from "../support/wait-for.ts";

/** Says in one file when it begins and ends: appended lines have an order. */
const TARGET = `import { appendFileSync } from "node:fs";
import { z } from "assay/plugin";
export default {
  name: "marked",
  params: z.object({ marks: z.string(), waitMs: z.number().default(0) }),
  async run({ params: { marks, waitMs }, seed }) {
    const mark = (what) => appendFileSync(marks, what + " " + process.pid + " " + seed + "\\n");
    mark("begins");
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    mark("ends");
    return { seed };
  },
};
`;

function studyWith(
  marks: string,
  { runs, limits, waitMs = 0 }: { runs: number; limits: string; waitMs?: number },
): string {
  const executor = `executor: {kind: queue, queue: {limits: [${limits}]}}`;
  return `study: fleet\ntarget: ./marked.mjs\nparams: {marks: ${marks}, waitMs: ${waitMs}}\nseeds: ${runs}\nartifacts: none\n${executor}\n`;
}

/** The most that were under way at once. A worker that was killed runs nothing from then on. */
function mostAtOnce(lines: readonly string[]): number {
  const under = new Set<string>();
  let most = 0;
  for (const line of lines) {
    const [what, pid, seed] = line.split(" ");
    if (what === "begins") under.add(`${pid} ${seed}`);
    else if (what === "ends") under.delete(`${pid} ${seed}`);
    else for (const one of under) if (one.startsWith(`${pid} `)) under.delete(one);
    most = Math.max(most, under.size);
  }
  return most;
}

for (const kind of ["redis", "postgres"] as const) {
  const problem = queueProblem(kind);
  describe.skipIf(problem)(
    `limits over a fleet on ${kind}${skipReason(problem)}`,
    { concurrent: true },
    () => {
      test("no more runs with a label are under way than it allows, though workers are killed", async () => {
        await using server = await startQueueServer(kind);
        await using project = await fleetProject(server, { "marked.mjs": TARGET });
        const marks = project.path("marks");
        project.write(
          "study.yaml",
          studyWith(marks, { runs: 30, limits: "{label: api, concurrent: 2}", waitMs: 40 }),
        );
        const start = () => startWorker(project, "--jobs", "2", ...SAFE_LEASE);
        const workers = await Promise.all([start(), start(), start()]);
        const study = startStudy(project);
        // Two at the same time: what they had is missed for a whole lease.
        await waitFor("some runs", () => project.lines("marks").length >= 12);
        for (const victim of workers.slice(0, 2)) {
          victim.kill("SIGKILL");
          await victim.ended;
          appendFileSync(marks, `killed ${victim.pid}\n`);
        }
        expect((await study.ended).code).toBe(0);
        expect(new Set(project.records("fleet").map(({ seed }) => seed)).size).toBe(30);
        expect(project.records("fleet").length).toBe(30);
        // Whether two ever met is a matter of the machine's speed: the next test sees to that.
        expect(mostAtOnce(project.lines("marks"))).toBeLessThanOrEqual(2);
      });

      test("as many are under way as it allows", async () => {
        await using server = await startQueueServer(kind);
        await using project = await fleetProject(server);
        const more = "executor: {kind: queue, queue: {limits: [{label: api, concurrent: 2}]}}";
        const { tries, letGo } = holdingStudy(project, { seeds: 4, more });
        await startWorker(project, "--jobs", "4");
        const study = startStudy(project);
        await waitFor("two runs at once", () => tries().length === 2);
        letGo(1, 2, 3, 4);
        const { code, stderr } = await study.ended;
        expect(code, stderr).toBe(0);
        expect(project.records("fleet").length).toBe(4);
      });
    },
  );
}

const problem = queueProblem("redis");
describe.skipIf(problem)(`limits over a fleet${skipReason(problem)}`, { concurrent: true }, () => {
  test("a rate holds over all workers, and who waits for it keeps none from another study's runs", async () => {
    await using server = await startQueueServer("redis");
    await using project = await fleetProject(server, { "marked.mjs": TARGET });
    project.write(
      "study.yaml",
      studyWith(project.path("marks"), { runs: 3, limits: "{label: api, perMinute: 0.01}" }),
    );
    project.write("free.yaml", "study: free\ntarget: noop\nseeds: 30\n");
    for (let i = 0; i < 2; i++) await startWorker(project, "--jobs", "2");
    const limited = startStudy(project);
    await waitFor("the only run that may begin", () => project.lines("marks").length === 2);
    const free = await project.assay("run", "free.yaml", "--executor", "queue", "--no-report");
    expect(free.code).toBe(0);
    expect(project.records("free").length).toBe(30);
    expect(project.lines("marks").length).toBe(2);
    limited.kill("SIGTERM");
    await limited.ended;
  });
});
