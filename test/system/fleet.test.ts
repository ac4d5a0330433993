import { describe, expect, test } from "vitest";
import type { FleetView } from "../../src/core/fleet-view.ts";
import type { Project } from "../support/fixture.ts";
import { fleetProject, holdingStudy, SHORT_LEASE, startStudy, startWorker } from "../support/fleet.ts";
import { freePort } from "../support/free-port.ts";
import { askRaw } from "../support/live-page.ts";
import { parseMetrics } from "../support/parse-metrics.ts";
import { queueProblem, skipReason, startQueueServer } from "../support/queue-server.ts";
import { waitFor } from "../support/wait-for.ts";

const PASSWORD = "not-for-eyes";

/** Looks at the fleet until it is as it should be. */
async function seen(
  project: Project,
  holds: (view: FleetView) => boolean,
  ...words: string[]
): Promise<FleetView> {
  const watching = project.start("fleet", "--json", "--watch", ...words);
  let read = 0;
  const view = await waitFor("the fleet", () => {
    const lines = watching.stdout.split("\n").slice(0, -1);
    for (; read < lines.length; read++) {
      const shown = JSON.parse(lines[read]!) as FleetView;
      if (holds(shown)) return shown;
    }
    if (watching.isOver) throw new Error(watching.stderr);
    return undefined;
  });
  watching.kill("SIGINT");
  expect((await watching.ended).code).toBe(0);
  return view;
}

/** What a command that runs says of a metric. */
async function scraped(port: number, name: string) {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  const samples = parseMetrics(await answer.text()).filter((sample) => sample.name === name);
  return samples.map(({ labels, value }) => ({ labels, value }));
}

for (const kind of ["redis", "postgres"] as const) {
  const problem = queueProblem(kind);
  describe.skipIf(problem)(`assay fleet on ${kind}${skipReason(problem)}`, () => {
    test("shows workers, what they run, what waits and how far studies are; steers workers", async () => {
      await using server = await startQueueServer(kind, kind === "redis" ? { password: PASSWORD } : {});
      await using project = await fleetProject(server);
      const more =
        "executor: {kind: queue, queue: {needs: {labels: [big]}, limits: [{label: api, concurrent: 5}]}}";
      const { letGo } = holdingStudy(project, { seeds: 3, more });
      const none = await project.assay("fleet");
      expect(none.stdout).toContain("no worker is there");
      const [workerPort, studyPort] = [await freePort(), await freePort()];
      const worker = await startWorker(project, "--labels", "big,new", "--metrics", String(workerPort));
      const study = startStudy(project, "--metrics", String(studyPort));
      const busy = await seen(
        project,
        ({ workers, classes, limits }) =>
          workers[0]?.doing.length === 1 && classes.length > 0 && limits.length > 0,
      );
      expect(busy.workers).toMatchObject([
        { pid: worker.pid, jobs: 1, labels: ["big", "new"], state: "running", done: 0, notes: [] },
      ]);
      expect(busy.workers[0]!.doing[0]!.study).toBe("fleet");
      expect(busy.nowMs - busy.workers[0]!.doing[0]!.sinceMs).toBeGreaterThanOrEqual(0);
      const { id } = busy.workers[0]!;
      expect(await scraped(workerPort, "assay_worker_running")).toEqual([
        { labels: { worker: id, study: "fleet" }, value: 1 },
      ]);
      expect(await scraped(studyPort, "assay_runs_planned")).toEqual([
        { labels: { study: "fleet" }, value: 3 },
      ]);
      expect(busy.classes).toMatchObject([{ needs: "label big, own code", underWay: 1, workers: 1 }]);
      expect(busy.limits).toEqual([{ label: "api", concurrent: 5, perMinute: null, underWay: 1 }]);
      const known = await seen(project, ({ studies }) => studies[0]?.total === 3);
      expect(known.studies).toMatchObject([{ name: "fleet", state: "running", ended: 0, failed: 0 }]);

      const text = (await project.assay("fleet")).stdout;
      for (const word of [
        "1 worker with 1 place",
        "1 run under way",
        "big,new",
        "label big, own code",
        "0/3",
      ])
        expect(text).toContain(word);
      expect(text).not.toContain("\x1b[");
      expect(text).not.toContain(PASSWORD);

      const paused = await project.assay("fleet", "pause", String(worker.pid));
      expect(paused.stdout).toContain("take nothing more");
      await seen(project, ({ workers }) => workers[0]?.state === "paused");
      letGo(1, 2, 3);
      await seen(project, ({ workers }) => workers[0]?.done === 1);
      expect((await project.assay("fleet", "resume")).stdout).toContain("asked 1 worker to go on");
      expect((await study.ended).code).toBe(0);
      const rest = await seen(project, ({ workers }) => workers[0]?.done === 3);
      expect(rest.studies).toEqual([]);
      expect(rest.limits).toEqual([]);
      await project.assay("fleet", "drain");
      expect((await worker.ended).code).toBe(0);
      expect((await seen(project, ({ workers }) => workers.length === 0)).workers).toEqual([]);
    });
  });
}

const problem = queueProblem("redis");
describe.skipIf(problem)(`assay fleet${skipReason(problem)}`, () => {
  test("names runs that killed their workers, workers that fell silent, and what is asked of none", async () => {
    await using server = await startQueueServer("redis");
    await using project = await fleetProject(server);
    const more = "executor: {kind: queue, queue: {mostDeaths: 1}}";
    const { letGo } = holdingStudy(project, { seeds: 2, params: "killAt: 1", more });
    letGo(1);
    const victim = await startWorker(project, ...SHORT_LEASE);
    const study = startStudy(project);
    expect((await victim.ended).code).toBe(null);
    // One place for the run that holds, one for the run that kills.
    await startWorker(project, "--jobs", "2", ...SHORT_LEASE);
    const view = await seen(project, ({ troubles }) => troubles.some(({ kind }) => kind === "parked"));
    const parked = view.troubles.find(({ kind }) => kind === "parked")!;
    expect(parked).toMatchObject({ study: "fleet", what: expect.stringContaining("seed1") });
    expect(parked.why).toContain("fell silent");
    const silent = await seen(project, ({ workers }) => workers.some(({ state }) => state === "silent"));
    expect(silent.workers.find(({ state }) => state === "silent")).toMatchObject({ pid: victim.pid });
    expect((await project.assay("fleet")).stdout).toMatch(/silent for \d+/);

    const unknown = await project.assay("fleet", "drain", "nobody");
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain("no worker is called nobody");
    letGo(2);
    expect((await study.ended).code).toBe(1);
  });

  test("wants an address and a key, and repeats no password", async () => {
    await using server = await startQueueServer("redis", { password: PASSWORD });
    await using project = await fleetProject(server);
    const { env } = project;
    project.env = { ASSAY_FLEET_KEY: env.ASSAY_FLEET_KEY! };
    const lost = await project.assay("fleet");
    expect(lost.code).toBe(2);
    expect(lost.stderr).toContain("ASSAY_QUEUE");
    expect((await project.assay("fleet", "--queue", server.url)).code).toBe(0);
    const wrong = await project.assay("fleet", "--queue", server.url.replace(PASSWORD, "a-wrong-one"));
    expect(wrong.code).toBe(2);
    expect(wrong.stdout + wrong.stderr).not.toContain("a-wrong-one");
    project.env = { ...env, ASSAY_FLEET_KEY: "a key of somebody else" };
    expect((await project.assay("fleet")).stderr).toContain("ASSAY_FLEET_KEY is not the key of the fleet");
  });

  test("is served to the page too, where there is a queue", async () => {
    await using server = await startQueueServer("redis", { password: PASSWORD });
    await using project = await fleetProject(server);
    await startWorker(project);
    const served = project.start("ui", "--json");
    const line = await waitFor("the address", () => served.stdout.includes("\n") && served.stdout);
    const { port, token } = JSON.parse(line) as { port: number; token: string };
    const headers = { Authorization: `Bearer ${token}` };
    expect(JSON.parse((await askRaw(port, "/api/session", { headers })).text)).toMatchObject({
      hasFleet: true,
    });
    // A queue that is slow to answer is told as such, and asked again.
    let answer = await askRaw(port, "/api/fleet", { headers });
    while (answer.text.includes("does not answer")) answer = await askRaw(port, "/api/fleet", { headers });
    const { status, text } = answer;
    expect(status, text).toBe(200);
    expect((JSON.parse(text) as FleetView).workers.length).toBe(1);
    expect(text).not.toContain(PASSWORD);
    expect((await askRaw(port, "/api/fleet")).status).toBe(401);
    await server.kill();
    expect((await askRaw(port, "/api/session", { headers })).status).toBe(200);

    project.env = {};
    const alone = project.start("ui", "--json");
    const other = JSON.parse(
      await waitFor("it", () => alone.stdout.includes("\n") && alone.stdout),
    ) as typeof served & {
      port: number;
      token: string;
    };
    const own = { headers: { Authorization: `Bearer ${other.token}` } };
    expect(JSON.parse((await askRaw(other.port, "/api/session", own)).text)).toMatchObject({
      hasFleet: false,
    });
    expect((await askRaw(other.port, "/api/fleet", own)).status).toBe(404);
  });
});
