import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { RandomStream } from "../../src/core/random.ts";
import { aProvider } from "../support/a-provider.ts";
import { fixture, type Project } from "../support/fixture.ts";
import { processesIn } from "../support/processes.ts";
import { slurmMissing, startSlurm } from "../support/slurm.ts";
import { waitFor } from "../support/wait-for.ts";

let slurm: Awaited<ReturnType<typeof startSlurm>>;
const missing = slurmMissing();
beforeAll(async () => {
  if (missing === undefined) slurm = await startSlurm();
}, 600_000);
afterAll(async () => slurm?.[Symbol.asyncDispose](), 600_000);
beforeEach(({ skip }) => skip(missing !== undefined, missing));

async function cluster(files: Record<string, string> = {}): Promise<Project> {
  const project = await fixture("slurm", files);
  project.env = { ...slurm.env };
  return project;
}

const study = (text: string) => ({ "study.yaml": text });
const started = (project: Project) => project.lines("started.txt").map(Number);

/** The one job array that a study has in Slurm now. */
async function jobOf(project: Project, name: string): Promise<string> {
  const dir = `bench_runs/${name}/slurm`;
  const path = await waitFor("the job to be submitted", () =>
    project
      .list(dir)
      .map((batch) => `${dir}/${batch}/job.json`)
      .find((file) => project.exists(file)),
  );
  return JSON.parse(project.read(path)).jobId;
}

function hold(project: Project, ...seeds: number[]): void {
  for (const seed of seeds) project.write(`hold-${seed}`, "");
}

function release(project: Project, ...seeds: number[]): void {
  for (const seed of seeds) rmSync(project.path(`hold-${seed}`), { force: true });
}

/** All records of a study, by seed; each seed must have one. */
function bySeed(project: Project, name: string) {
  const records = project.records(name);
  const found = new Map(records.map((record) => [record.seed, record]));
  expect(found.size).toBe(records.length);
  return found;
}

describe("a study on Slurm", () => {
  test("runs forty runs as one array of packs, no more tasks at once than it may have", async () => {
    await using project = await cluster(
      study(`study: forty
target: { command: [sh, hold.sh] }
seeds: 40
env: { API_TOKEN: a-secret-of-the-study }
executor: { kind: slurm, slurm: { pack: 5, concurrent: 2, time: 10m, memory: 100M, cpus: 1 } }
`),
    );
    hold(project, 1);
    const runner = project.start("run", "study.yaml", "--no-report");
    await waitFor("the first run", () => started(project).includes(1));
    const job = await jobOf(project, "forty");
    expect(slurm.ask("scontrol", "show", "job", `${job}_0`)).toMatch(
      /TimeLimit=00:10:00[\s\S]*MinMemoryNode=100M/,
    );
    // The environment travels through Slurm: no file of the study has its secrets.
    expect(secretsIn(project.path("bench_runs/forty"), "a-secret-of-the-study")).toEqual([]);
    release(project, 1);
    const { code, stdout, stderr } = await runner.ended;
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toContain("40 ok of 40 runs");
    const records = bySeed(project, "forty");
    expect(records.size).toBe(40);
    for (const [seed, { id, outcome, metrics, files }] of records) {
      expect({ outcome, metrics, files }).toEqual({
        outcome: { status: "ok", exitCode: 0 },
        metrics: { seed, token_length: 21 },
        files: ["metrics.json"],
      });
      expect(JSON.parse(project.read(`bench_runs/forty/runs/${id}/meta.json`))).toMatchObject({
        status: "ok",
      });
    }
    expect(Object.keys(slurm.states("forty"))).toHaveLength(8);
    expect(Math.max(...project.lines("width.txt").map(Number))).toBeLessThanOrEqual(2);
    expect(project.exists("bench_runs/forty/slurm")).toBe(false);
  });

  test("finds its own size of packs, for modules too", async () => {
    await using project = await cluster(
      study(`study: modules
target: noop
seeds: 300
artifacts: none
executor: { kind: slurm }
`),
    );
    const ran = await project.assay("run", "study.yaml", "--no-report");
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("300 ok of 300 runs") });
    const records = bySeed(project, "modules");
    expect(records.size).toBe(300);
    // Sixteen alone to learn how short they are, then the rest over 64 tasks, or in fewer that last five seconds.
    const slowestMs = Math.max(...[...records.values()].map(({ wallMs }) => wallMs));
    const fair = Math.ceil((300 - 16) / 64);
    const pack = Math.max(1, Math.floor(Math.max(Math.min(60_000 / slowestMs, fair), 5000 / slowestMs)));
    const tasks = Object.keys(slurm.states("modules")).length;
    expect(tasks).toBeGreaterThan(16);
    expect(tasks).toBeLessThanOrEqual(16 + Math.ceil((300 - 16) / pack));
  });

  test("goes on to the end when tasks time out, crash, are cancelled by the administrator and requeued", async () => {
    await using project = await cluster(
      study(`study: trouble
target: { command: [sh, hold.sh] }
seeds: 10
limits: { retries: 1, backoff: 100ms }
executor: { kind: slurm, slurm: { pack: 2 } }
`),
    );
    hold(project, 1, 4, 5, 7, 9);
    const runner = project.start("run", "study.yaml", "--no-report");
    const job = await jobOf(project, "trouble");
    await waitFor("all five tasks to be at their held runs", () => started(project).length === 6);
    // Times out at its second run; at its first one, with all the time for itself.
    for (const index of [1, 4]) slurm.ask("scontrol", "update", `jobid=${job}_${index}`, "EndTime=now+1");
    slurm.ask("scancel", `${job}_0`);
    slurm.ask("scontrol", "requeue", `${job}_2`);
    process.kill(slurm.taskProcess(`${job}_3`), "SIGKILL");
    const state = (index: number) => slurm.states("trouble")[`${job}_${index}`];
    // Slurm itself waits two minutes, to be sure that nothing of the first start is left on the node.
    await waitFor("the requeued one to wait", () => state(2) === "PENDING" && slurm.hasLeft(`${job}_2`), {
      everyMs: 50,
    });
    slurm.ask("scontrol", "update", `jobid=${job}_2`, "StartTime=now");
    // Slurm looks at time limits twice a minute.
    const isLate = (index: number) => state(index) === "TIMEOUT";
    await waitFor("the late ones", () => isLate(1) && isLate(4), { everyMs: 100, deadlineMs: 200_000 });
    release(project, 1, 4, 5, 7, 9);
    const { code, stdout, stderr } = await runner.ended;
    expect(code, stdout + stderr).toBe(0);
    const records = bySeed(project, "trouble");
    expect([...records.keys()].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const told = (seed: number) => {
      const { outcome, attempt, earlier = [] } = records.get(seed)!;
      return [outcome.status, attempt, ...earlier.map(({ reason }) => reason)];
    };
    const cancelled = `its Slurm task ${job}_0 was cancelled from outside`;
    expect(told(1)).toEqual(["ok", 2, cancelled]);
    expect(told(2)).toEqual(["ok", 2, cancelled]);
    expect(told(3)).toEqual(["ok", 1]);
    // Every try that began counts, whoever ended it.
    expect(told(4)).toEqual([
      "ok",
      2,
      expect.stringMatching(/^Slurm's time limit of .* ended its task \d+_1 on near$/),
    ]);
    expect(told(5)).toEqual(["ok", 2, "Slurm started its task again (start 2)"]);
    expect(told(6)).toEqual(["ok", 1]);
    expect(told(7)).toEqual(["ok", 2, expect.stringMatching(/^its Slurm task \d+_3 crashed on near \(/)]);
    expect(told(8)).toEqual(["ok", 1]);
    expect(told(9)).toEqual(["ok", 2, expect.stringContaining("ask for more with executor.slurm.time")]);
    expect(told(10)).toEqual(["ok", 1]);
    await slurm.idle();
    expect(processesIn(project.dir)).toEqual([]);
    // What went wrong can be looked at.
    const [batch] = project.list("bench_runs/trouble/slurm");
    expect(project.list(`bench_runs/trouble/slurm/${batch}`)).toContain("log");
  });

  test("has services beside the runs of each task", async () => {
    await using project = await fixture("served");
    project.env = { ...slurm.env };
    const more = "executor: {kind: slurm, slurm: {partition: main, pack: 2}}";
    project.write("study.yaml", `${project.read("study.yaml")}${more}\n`);
    const { code, stderr } = await project.assay("run", "study.yaml", "-q", "--no-report");
    expect(code, stderr).toBe(0);
    const servers = project.records("served").map(({ metrics }) => metrics.server);
    expect(servers).toHaveLength(4);
    expect(new Set(servers).size).toBe(2);
    expect(processesIn(project.dir)).toEqual([]);
  });

  test("has a way to models beside each task: metered, cached, with keys that no file has", async () => {
    await using provider = await aProvider("true");
    await using project = await fixture("asking");
    const key = "sk-real-0123456789";
    project.env = { ...slurm.env, OPENAI_API_KEY: key, OPENAI_BASE_URL: provider.url };
    project.write(
      "study.yaml",
      `${project.read("study.yaml")}executor: { kind: slurm, slurm: { pack: 2 } }\n`,
    );
    for (const rerun of [[], ["--rerun", "all"]]) {
      const { code, stderr } = await project.assay("run", "study.yaml", "-q", "--no-report", ...rerun);
      expect(code, stderr).toBe(0);
      expect(provider.requests).toHaveLength(4);
      const [calls, cached] = rerun.length === 0 ? [1, 0] : [0, 1];
      for (const { metrics } of project.records("asking").slice(-4))
        expect(metrics).toMatchObject({ letters: 5, model_calls: calls, cached_calls: cached });
    }
    expect((await project.launch(["grep", "-rl", key, "."]).ended).stdout).toBe("");
  });

  test("resumes a run at its epoch after kill -9 of its task", async () => {
    await using project = await fixture("training");
    project.env = { ...slurm.env, TRAINING_LOG: project.path("log.txt") };
    project.edit("study.yaml", "{ grace: 30s }", "{ grace: 30s, retries: 1, backoff: 100ms }");
    project.write("study.yaml", `${project.read("study.yaml")}executor: slurm\n`);
    const runner = project.start("run", "study.yaml", "--no-report");
    const job = await jobOf(project, "training");
    await waitFor("the first try", () => project.lines("log.txt").some((line) => line.startsWith("1 at 2")));
    process.kill(slurm.taskProcess(`${job}_0`), "SIGKILL");
    const { code, stdout, stderr } = await runner.ended;
    expect(code, stdout + stderr).toBe(0);
    expect(project.lines("log.txt")).toContain("2 from 2");
    expect(project.onlyRecord("training")).toMatchObject({ metrics: { epochs: 4 }, attempt: 2 });
  });
});

describe("a coordinator that is killed", () => {
  test("finds results, running tasks and waiting ones again, and does no run twice", async () => {
    await using project = await cluster();
    hold(project, 1, 2, 3, 4, 5, 6);
    const first = project.start("run", "study.yaml", "--no-report");
    const job = await jobOf(project, "cluster");
    await waitFor("four runs to start", () => started(project).length === 4);
    first.kill("SIGKILL");
    await first.ended;
    // One ends meanwhile, the place of another one is taken by a waiting task, which the administrator cancels.
    release(project, 1);
    await waitFor("its task to end", () => slurm.states("cluster")[`${job}_0`] === "COMPLETED", {
      everyMs: 50,
    });
    await waitFor("the next one to start", () => started(project).includes(5));
    slurm.ask("scancel", `${job}_5`);
    const second = project.start("run", "study.yaml", "--no-report", "-v");
    await waitFor("the first result", () => second.stderr.includes("ok seed 1"));
    release(project, 2, 3, 4, 5, 6);
    const { code, stdout, stderr } = await second.ended;
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toContain("6 ok of 6 runs");
    expect(started(project).sort()).toEqual([1, 2, 3, 4, 5, 6]);
    const records = bySeed(project, "cluster");
    expect(records.size).toBe(6);
    expect(records.get(6)).toMatchObject({
      attempt: 2,
      earlier: [{ reason: `its Slurm task ${job}_5 was cancelled from outside` }],
    });
    // Beside the first array only what was cancelled has been submitted.
    expect(Object.keys(slurm.states("cluster")).filter((id) => !id.startsWith(`${job}_`))).toHaveLength(1);
  });
});

describe("a coordinator that is killed again and again", () => {
  test("leaves one record a run, and every run is done once", async () => {
    await using project = await cluster();
    project.edit("study.yaml", "study: cluster", "study: chaos");
    project.edit("study.yaml", "seeds: 6", "seeds: 40");
    project.edit("study.yaml", "pack: 1", "pack: 2");
    const random = new RandomStream(1, "slurm-chaos");
    const recorded = () => project.lines("bench_runs/chaos/journal.jsonl").length;
    // The last one waits, so that no coordinator can be through before it is killed.
    hold(project, 40);
    for (let kills = 0; kills < 6; kills++) {
      const before = Math.min(recorded(), 38);
      const runner = project.start("run", "study.yaml", "--no-report");
      // Before its first submission, during it, or after some results.
      const records = kills % 2 === 0 ? 0 : 1;
      await waitFor("some results", () => runner.isOver || recorded() >= before + records, { everyMs: 1 });
      await new Promise((resolve) => setTimeout(resolve, random.uniform(kills, 0) * 600));
      runner.kill("SIGKILL");
      expect((await runner.ended).code, runner.stderr).toBeNull();
    }
    release(project, 40);
    const last = await project.assay("run", "study.yaml", "--no-report");
    expect(last.code, last.stdout + last.stderr).toBe(0);
    expect(bySeed(project, "chaos").size).toBe(40);
    const times = started(project);
    expect(times.sort((a, b) => a - b)).toEqual([...new Set(times)]);
    expect(times).toHaveLength(40);
    await slurm.idle();
  });
});

describe("a controller of Slurm that is too busy to answer", () => {
  test("may have taken the array all the same: it is found, and no run is done twice", async () => {
    await using project = await cluster();
    project.edit("study.yaml", "study: cluster", "study: unheard");
    const sbatch = execFileSync("which", ["sbatch"], { encoding: "utf8" }).trim();
    project.write(
      "bin/sbatch",
      `#!/bin/sh
[ -e ${project.path("lost")} ] && exec ${sbatch} "$@"
${sbatch} "$@" >${project.path("lost")}
echo "sbatch: error: Batch job submission failed: Socket timed out on send/recv operation" >&2
exit 1
`,
    );
    chmodSync(project.path("bin/sbatch"), 0o755);
    project.env.PATH = `${project.path("bin")}:${process.env.PATH}`;
    const ran = await project.assay("run", "study.yaml", "--no-report");
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("6 ok of 6 runs") });
    const job = project.read("lost").trim();
    const tasks = [0, 1, 2, 3, 4, 5].map((index) => `${job}_${index}`);
    expect(Object.keys(slurm.states("unheard")).sort()).toEqual(tasks);
    expect(started(project).sort()).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

describe("a controller of Slurm that is away", () => {
  test("holds back neither results nor the end of a study; what waits to be submitted waits for it", async () => {
    await using project = await cluster();
    project.env = { ...slurm.impatientEnv };
    project.edit("study.yaml", "study: cluster", "study: away");
    project.edit("study.yaml", "retries: 1, backoff: 100ms", "retries: 1, backoff: 0s");
    project.edit("study.yaml", "pack: 1, concurrent: 4", "pack: 3");
    hold(project, 1, 4);
    const runner = project.start("run", "study.yaml", "--no-report", "-v");
    await waitFor("both tasks", () => started(project).length === 2);
    const job = await jobOf(project, "away");
    const crashing = slurm.taskProcess(`${job}_1`);
    await slurm.stopController();
    try {
      release(project, 1);
      await waitFor("the first task's results", () => runner.stderr.match(/^ok /gm)?.length === 3);
      process.kill(crashing, "SIGKILL");
      await waitFor("it to be missed", () => runner.stderr.includes("note Slurm does not answer"));
    } finally {
      await slurm.startController();
    }
    release(project, 4);
    const { code, stdout, stderr } = await runner.ended;
    expect(code, stdout + stderr).toBe(0);
    const { attempt, earlier } = bySeed(project, "away").get(4)!;
    expect(earlier).toHaveLength(1);
    expect(attempt).toBe(2);
    // It was killed without a word; its folder knows how long it had run.
    expect(earlier![0]!.wallMs).toBeGreaterThan(0);
    await slurm.idle();
  });
});

describe("Ctrl-C", () => {
  test("once takes back what waits and lets what runs finish; twice cancels all; the same command resumes it", async () => {
    await using project = await cluster();
    project.edit("study.yaml", "study: cluster", "study: interrupted");
    project.edit("study.yaml", "pack: 1, concurrent: 4", "pack: 2, concurrent: 2");
    hold(project, 1, 2, 3, 4, 5, 6);
    const first = project.start("run", "study.yaml", "--no-report");
    await waitFor("two runs to start", () => started(project).length === 2);
    first.kill("SIGINT");
    await waitFor(
      "what waits to be taken back",
      () => Object.values(slurm.states("interrupted")).includes("CANCELLED"),
      {
        everyMs: 50,
      },
    );
    release(project, 1, 3);
    const once = await first.ended;
    expect(once.code, once.stderr).toBe(130);
    expect(once.stdout).toContain("2 ok, 4 left of 6 runs");
    expect(started(project).sort()).toEqual([1, 3]);
    await slurm.idle();

    const second = project.start("run", "study.yaml", "--no-report");
    await waitFor("two more to start", () => started(project).length === 4);
    second.kill("SIGTERM");
    const twice = await second.ended;
    expect(twice.code, twice.stderr).toBe(130);
    await slurm.idle();
    expect(processesIn(project.dir)).toEqual([]);
    expect(
      project
        .records("interrupted")
        .map(({ outcome }) => outcome.status)
        .slice(2),
    ).toContain("cancelled");

    release(project, 2, 4, 5, 6);
    const third = await project.assay("run", "study.yaml", "--no-report");
    expect(third.stdout, third.stderr).toContain("4 ok, 2 done before of 6 runs");
  });

  test("one run can be cancelled; its pack goes on", async () => {
    await using project = await cluster();
    project.edit("study.yaml", "study: cluster", "study: one-less");
    project.edit("study.yaml", "pack: 1", "pack: 6");
    hold(project, 1);
    const runner = project.start("run", "study.yaml", "--no-report", "-vv");
    await waitFor("the first run", () => started(project).includes(1));
    const [, id] = await waitFor("its id", () => /run seed 1 \((seed1__[^)]+)\)/.exec(runner.stderr));
    expect((await project.assay("cancel", "one-less", id!)).code).toBe(0);
    const { stdout } = await runner.ended;
    expect(stdout).toContain("5 ok, 1 cancelled of 6 runs");
    expect(bySeed(project, "one-less").get(1)!.outcome).toMatchObject({ status: "cancelled" });
  });
});

describe("what can't work is told in Slurm's words, with a remedy", () => {
  test("a partition that is not there", async () => {
    await using project = await cluster();
    project.edit("study.yaml", "pack: 1", "pack: 1, partition: nowhere");
    const { code, stderr } = await project.assay("run", "study.yaml");
    expect(code).toBe(2);
    expect(stderr).toContain("Slurm refused the job array: invalid partition specified: nowhere");
    expect(stderr).toContain("`sinfo` lists the partitions");
    expect(project.exists("bench_runs/cluster/slurm")).toBe(false);
  });

  test("a machine without Slurm, and a time that is none", async () => {
    await using project = await cluster();
    project.edit("study.yaml", "{ command: [sh, hold.sh] }", "noop");
    project.env.PATH = "/nowhere";
    const without = await project.assay("run", "study.yaml");
    expect(without.code).toBe(2);
    expect(without.stderr).toContain("the executor slurm needs scontrol, which is not installed here");
    expect((await project.assay("doctor")).stdout).toContain("missing  sbatch, needed for executor slurm");
    delete project.env.PATH;
    project.edit("study.yaml", "pack: 1", "time: soon");
    expect((await project.assay("run", "study.yaml")).stderr).toContain(
      'executor.slurm.time: expected a time as Slurm writes it (30, 2:00:00, 1-12) or a duration (90m, 2h), got "soon"',
    );
  });

  test("nodes that don't see the study's folder", async ({ skip }) => {
    skip(slurm.hidden === undefined, "mounts are not allowed here");
    await using project = await cluster();
    project.edit("study.yaml", "pack: 1", "pack: 1, partition: far");
    const outRoot = `${slurm.hidden}/out`;
    const { code, stderr } = await project.assay("run", "study.yaml", "--out-root", outRoot);
    expect(code).toBe(2);
    expect(stderr).toMatch(/no Slurm task could start: the folder \S+ is not visible on node far/);
    await slurm.idle();
  });

  test("a node that waits for the administrator", async () => {
    await using project = await cluster();
    project.edit("study.yaml", "study: cluster", "study: drained");
    project.edit("study.yaml", "pack: 1", "pack: 6, partition: far");
    slurm.ask("scontrol", "update", "nodename=far", "state=drain", "reason=test");
    try {
      const runner = project.start("run", "study.yaml", "--no-report");
      await waitFor("the reason to be told", () => /note Slurm holds tasks back: /.test(runner.stderr));
      slurm.ask("scontrol", "update", "nodename=far", "state=resume");
      expect((await runner.ended).stdout).toContain("6 ok of 6 runs");
    } finally {
      if (slurm.ask("sinfo", "-h", "-n", "far", "-o", "%T").includes("drain"))
        slurm.ask("scontrol", "update", "nodename=far", "state=resume");
    }
  });
});

/** The files below a folder that have a text in them. */
function secretsIn(dir: string, text: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .filter((path) => !path.includes("/runs/") && readFileSync(path, "latin1").includes(text));
}
