import { describe, expect, test } from "vitest";
import { fixture, type Project } from "../support/fixture.ts";
import { askRaw, EventReader } from "../support/live-page.ts";
import { isAlive, processesIn } from "../support/processes.ts";
import { waitFor } from "../support/wait-for.ts";

interface Page {
  url: string;
  port: number;
  token: string;
}

/** Starts `assay ui` in a project and gives what it printed. */
async function openPage(project: Project, ...words: string[]) {
  const process = project.start("ui", "--json", ...words);
  const line = await waitFor("the address", () => process.stdout.includes("\n") && process.stdout);
  return { process, page: JSON.parse(line) as Page };
}

const headersOf = ({ token }: Page) => ({ Authorization: `Bearer ${token}` });

async function order(page: Page, body: Record<string, string>): Promise<number> {
  const headers = { ...headersOf(page), "X-Assay": "1", "Content-Type": "application/json" };
  const { status } = await askRaw(page.port, "/api/control", {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  return status;
}

const follow = (page: Page, study: string, headers = {}) =>
  new EventReader(page, `/api/events?study=${study}`, headers);
const cardOf = (reader: EventReader) => reader.named("card").at(-1)?.data;
const statesOf = (project: Project, study: string) =>
  project.records(study).map(({ outcome }) => outcome.status);

describe("assay ui", () => {
  test("follows a study that another process runs, from before its start to its end", async () => {
    await using project = await fixture("sums");
    const { page } = await openPage(project);
    using list = new EventReader(page, "/api/events");
    await waitFor("the empty list", () => list.named("cards").length > 0);
    expect(list.named("cards")[0]!.data).toEqual([]);
    const run = project.start("run", "study.yaml", "--jobs", "1", "--no-report");
    await waitFor("the study", () => list.named("cards").some(({ data }) => data[0]?.id === "sums"));
    using reader = follow(page, "sums");
    expect((await run.ended).code).toBe(0);
    await waitFor("its end", () => cardOf(reader)?.state === "done");
    expect(cardOf(reader).counts).toMatchObject({ total: 4, ok: 4, missing: 0, running: 0 });
    await waitFor("its end in the list", () => [list.events.at(-1)?.data].flat()[0]?.state === "done");
    const table = JSON.parse(
      (await askRaw(page.port, "/api/runs?study=sums", { headers: headersOf(page) })).text,
    );
    expect(table.count).toBe(4);
    const { text } = await askRaw(page.port, "/api/study?id=sums", { headers: headersOf(page) });
    expect(JSON.parse(text).counts).toMatchObject({ total: 4, ok: 4 });
  });

  test("tells each run of a study once, also to a reader whose connection broke", async () => {
    await using project = await fixture("slow");
    const { page } = await openPage(project);
    const run = project.start("run", "study.yaml", "--no-report");
    await waitFor("two runs to start", () => project.lines("started.txt").length === 2);
    let place: string;
    {
      using first = follow(page, "slow");
      place = await waitFor("a place", () => first.lastId);
      expect(cardOf(first)).toMatchObject({
        state: "running",
        counts: { total: 6, missing: 6 },
        canControl: false,
      });
    }
    project.write("go", "");
    expect((await run.ended).code).toBe(0);
    using second = follow(page, "slow", { "Last-Event-ID": place });
    await waitFor("all runs", () => second.runs.length >= 6);
    expect(second.runs).toEqual(project.records("slow").map(({ id }) => id));
    await waitFor("the end", () => cardOf(second).state === "done");
  });

  test("compares two studies: what differs in them, and in what they found", async () => {
    await using project = await fixture("sums");
    await project.run("study.yaml", "-q");
    await project.run("study.yaml", "-q", "--exp-name", "other", "-p", "b=11");
    const { page } = await openPage(project);
    const { text } = await askRaw(page.port, "/api/compare?a=sums&b=other", { headers: headersOf(page) });
    const view = JSON.parse(text);
    expect(view.a).toMatchObject({ id: "sums", state: "done" });
    expect(view.changes).toContainEqual({ what: "params.b", a: "10", b: "11" });
    const sum = view.comparisons.find(({ metric }: { metric: string }) => metric === "sum");
    expect(sum.sentence).toContain("sum");
  });

  test("ends at Ctrl-C with exit 0, whoever is listening", async () => {
    await using project = await fixture("sums");
    const { page, process } = await openPage(project);
    using reader = new EventReader(page, "/api/events");
    await waitFor("the cards", () => reader.named("cards").length > 0);
    process.kill("SIGINT");
    expect(await process.ended).toMatchObject({ code: 0, stderr: "" });
  });

  test("says what is wrong with a port, a host and a folder", async () => {
    await using project = await fixture("sums");
    const { page } = await openPage(project);
    const taken = await project.assay("ui", "--port", String(page.port));
    expect(taken).toMatchObject({ code: 2, stderr: expect.stringContaining(`port ${page.port} is taken`) });
    const open = await project.assay("ui", "--host", "0.0.0.0");
    expect(open).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("expected 127.0.0.1, localhost or ::1"),
    });
    const nowhere = await project.assay("ui", "no/such/folder");
    expect(nowhere).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("no/such/folder does not exist"),
    });
    const odd = await project.assay("ui", "--port", "http");
    expect(odd).toMatchObject({ code: 2, stderr: expect.stringContaining('got "http"') });
  });
});

describe("steering from the page", () => {
  test("pauses a study in another process, and lets it go on", async () => {
    await using project = await fixture("slow");
    const { page } = await openPage(project, "--allow-control");
    const run = project.start("run", "study.yaml", "--no-report");
    await waitFor("two runs to start", () => project.lines("started.txt").length === 2);
    using reader = follow(page, "slow");
    await waitFor("the runner to be seen", () => cardOf(reader)?.canControl);
    expect(await order(page, { study: "slow", action: "pause" })).toBe(200);
    await waitFor("the pause to be seen", () => cardOf(reader).state === "paused");
    project.write("go", "");
    await waitFor("what ran to end", () => reader.runs.length === 2);
    await waitFor("nothing to run", () => cardOf(reader).counts.running === 0);
    expect(run.isOver).toBe(false);
    expect(project.lines("started.txt")).toHaveLength(2);
    expect((await project.assay("status", "slow")).stdout).toContain("paused: process");
    expect(await order(page, { study: "slow", action: "resume" })).toBe(200);
    expect(await run.ended).toMatchObject({ code: 0, stdout: expect.stringContaining("6 ok of 6 runs") });
    await waitFor("the end to be seen", () => cardOf(reader).state === "done");
    expect(run.stderr).toMatch(/paused from the page[\s\S]*resumed from the page/);
    expect(project.exists("bench_runs/slow/control")).toBe(false);
  });

  test("cancels one run with all of its processes; the others go on, and the next launch does it", async () => {
    await using project = await fixture("slow");
    project.edit("wait.sh", "until", 'trap "" TERM INT; sleep 1000 & echo "$!" >"pid-$ASSAY_SEED"; until');
    const { page } = await openPage(project, "--allow-control");
    const run = project.start("run", "study.yaml", "--no-report");
    await waitFor("two runs to start", () => [1, 2].every((seed) => project.lines(`pid-${seed}`)[0]));
    using reader = follow(page, "slow");
    const ids: { id: string }[] = await waitFor(
      "two runs",
      () => cardOf(reader)?.running.length === 2 && cardOf(reader).running,
    );
    const first = ids.find(({ id }) => id.startsWith("seed1__"))!.id;
    const [doomed, spared] = [1, 2].map((seed) => Number(project.read(`pid-${seed}`)));
    expect(await order(page, { study: "slow", action: "cancel", run: first })).toBe(200);
    await waitFor("the run's end", () => reader.runs.includes(first));
    expect([isAlive(doomed!), isAlive(spared!)]).toEqual([false, true]);
    expect(project.records("slow")).toMatchObject([
      { id: first, outcome: { status: "cancelled", reason: "cancelled from the page" } },
    ]);
    expect(JSON.parse(project.read(`bench_runs/slow/runs/${first}/meta.json`))).toMatchObject({
      status: "cancelled",
      reason: "cancelled from the page",
    });
    project.write("go", "");
    expect(await run.ended).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("5 ok, 1 cancelled of 6"),
    });
    expect(processesIn(project.dir)).toEqual([]);
    const next = await project.run("study.yaml");
    expect(next).toMatchObject({ code: 0, stderr: expect.stringContaining("cancelled before") });
    expect(project.records("slow").at(-1)).toMatchObject({ id: first, outcome: { status: "ok" } });
  });

  test("cancels one run of a module in a thread; the others go on", async () => {
    await using project = await fixture("modules", {
      "study.yaml": "{study: waiting, target: ./waiting.mjs, seeds: 4, executor: {jobs: 2}}",
    });
    const { page } = await openPage(project, "--allow-control");
    const run = project.start("run", "study.yaml", "--no-report");
    await waitFor("two runs to start", () => project.lines("started.txt").length === 2);
    using reader = follow(page, "waiting");
    const [first] = await waitFor(
      "two runs",
      () => cardOf(reader)?.running.length === 2 && cardOf(reader).running,
    );
    expect(await order(page, { study: "waiting", action: "cancel", run: first.id })).toBe(200);
    await waitFor("another to start", () => project.lines("started.txt").length === 3);
    await waitFor("its record", () => project.records("waiting").length > 0);
    expect(project.records("waiting")).toMatchObject([
      { id: first.id, outcome: { status: "cancelled", reason: "cancelled from the page" } },
    ]);
    project.write("go", "");
    expect(await run.ended).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("3 ok, 1 cancelled of 4"),
    });
    expect(statesOf(project, "waiting").sort()).toEqual(["cancelled", "ok", "ok", "ok"]);
  });

  test("cancels the whole launch, which can be gone on with", async () => {
    await using project = await fixture("slow");
    const { page } = await openPage(project, "--allow-control");
    const run = project.start("run", "study.yaml", "--no-report");
    await waitFor("two runs to start", () => project.lines("started.txt").length === 2);
    expect(await order(page, { study: "slow", action: "cancel" })).toBe(200);
    const { code, stdout, stderr } = await run.ended;
    expect(code).toBe(130);
    expect(stderr).toContain("stopping: cancelled from the page");
    expect(stdout).toContain("2 cancelled, 4 left of 6 runs");
    expect(processesIn(project.dir)).toEqual([]);
    expect(await order(page, { study: "slow", action: "cancel" })).toBe(400);
    project.write("go", "");
    expect((await project.run("study.yaml")).stdout).toContain("6 ok of 6 runs");
  });
});

describe("steering from a shell", () => {
  test("pauses, resumes and cancels by name, and says when there is nothing to steer", async () => {
    await using project = await fixture("slow");
    expect(await project.assay("pause", "slow")).toMatchObject({ code: 2 });
    const run = project.start("run", "study.yaml", "--no-report");
    await waitFor("two runs to start", () => project.lines("started.txt").length === 2);
    expect(await project.assay("pause", "slow")).toMatchObject({ code: 0 });
    expect(JSON.parse((await project.assay("status", "slow", "--json")).stdout)).toMatchObject({
      isPaused: true,
    });
    const wrong = await project.assay("cancel", "slow", "seed9");
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("expected one of seed1__") });
    const one = await project.assay("cancel", "slow", "seed1", "--json");
    expect(JSON.parse(one.stdout)).toEqual({ study: "slow", action: "cancel", run: "seed1", taken: true });
    await waitFor("the run's end", () => project.records("slow").length === 1);
    expect(project.onlyRecord("slow").outcome.reason).toBe("cancelled by `assay cancel`");
    expect(await project.assay("resume", "slow")).toMatchObject({ code: 0 });
    await waitFor("another run to start", () => project.lines("started.txt").length === 3);
    expect(await project.assay("cancel", "slow")).toMatchObject({ code: 0 });
    expect((await run.ended).code).toBe(130);
    const over = await project.assay("resume", "slow");
    expect(over).toMatchObject({ code: 2, stderr: expect.stringContaining("slow is not running") });
  });
});

describe("assay run --ui", () => {
  test("prints the link of a page that may steer this study, and ends with it where there is no terminal", async () => {
    await using project = await fixture("slow");
    const run = project.start("run", "study.yaml", "--ui", "--no-report");
    const link = await waitFor("the link", () =>
      /http:\/\/127\.0\.0\.1:(\d+)\/\?token=(\S+)/.exec(run.stderr),
    );
    const page = { url: link[0], port: Number(link[1]), token: link[2]! };
    await waitFor("two runs to start", () => project.lines("started.txt").length === 2);
    using reader = follow(page, "slow");
    await waitFor("the runner to be seen", () => cardOf(reader)?.canControl);
    expect(await order(page, { study: "slow", action: "pause" })).toBe(200);
    await waitFor("the pause", () => cardOf(reader).state === "paused");
    expect(await order(page, { study: "slow", action: "resume" })).toBe(200);
    project.write("go", "");
    expect(await run.ended).toMatchObject({ code: 0, stdout: expect.stringContaining("6 ok of 6 runs") });
    // The server is gone by now; what it has sent may still be on its way to here.
    await waitFor("the end to be heard", () => cardOf(reader).state === "done");
    expect(reader.runs).toHaveLength(6);
  });
});
