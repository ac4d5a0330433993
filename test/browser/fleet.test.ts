import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityProblems, noBrowser, ownErrors, TestBrowser, takePicture } from "../support/browser.ts";
import { fixture, type Project } from "../support/fixture.ts";
import { fleetProject, startStudy, startWorker } from "../support/fleet.ts";
import { queueProblem, startQueueServer } from "../support/queue-server.ts";
import { waitFor } from "../support/wait-for.ts";

const problem = noBrowser ?? queueProblem("redis");

describe.skipIf(problem)(`the fleet on the live page${problem ? ` (skipped: ${problem})` : ""}`, () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.launch();
  });
  afterAll(() => browser?.[Symbol.asyncDispose]());

  async function openUi(project: Project) {
    const served = project.start("ui", "--json");
    const line = await waitFor("the address", () => served.stdout.includes("\n") && served.stdout);
    return browser.open((JSON.parse(line) as { url: string }).url);
  }

  // As long as a test without a page has for the same: a queue, a worker and a study start and end.
  test("shows workers as they come and go, what they run, and what is wrong", {
    timeout: 240_000,
  }, async () => {
    await using server = await startQueueServer("redis");
    await using project = await fleetProject(server);
    const marks = project.path("marks");
    const executor =
      "executor: {kind: queue, queue: {limits: [{label: api, concurrent: 4, perMinute: 600}]}}";
    project.write(
      "study.yaml",
      `study: fleet\ntarget: ./step.ts\nparams: {holds: true, marks: ${marks}}\nseeds: 4\n${executor}\n`,
    );
    const { page, errors, foreign } = await openUi(project);
    await page.getByRole("link", { name: "Fleet" }).click();
    await page.getByText("No workers").waitFor();
    expect(await page.title()).toBe("Fleet · Assay");
    const worker = await startWorker(project, "--labels", "gpu,big");
    const study = startStudy(project);
    const workers = page.getByRole("group", { name: "Workers" });
    await workers.getByText("gpu, big").waitFor();
    const running = page.getByRole("group", { name: "Running now" });
    await running.getByText("seed").first().waitFor();
    const runLink = running.getByRole("link", { name: /seed/ }).first();
    expect(await runLink.getAttribute("href")).toMatch(/#\/study\/fleet\/run\/seed\d/);
    await page.getByRole("group", { name: "Studies in progress" }).getByText("running").waitFor();
    await page.getByRole("group", { name: "Limits" }).getByText("api").waitFor();
    await page.getByText("1 of 1 places busy").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await takePicture(page, "fleet");
    for (const seed of [1, 2, 3, 4]) project.write(`marks.${seed}`, "");
    expect((await study.ended).code).toBe(0);
    await page.getByRole("group", { name: "Studies in progress" }).waitFor({ state: "detached" });
    worker.kill("SIGTERM");
    await page.getByText("No workers").waitFor();
    // A queue that took longer than the page waits for it is asked again.
    expect(ownErrors(errors)).toEqual([]);
    await server.kill();
    await page.getByRole("alert").getByText("the queue does not answer").waitFor();
    expect(foreign).toEqual([]);
    await page.context().close();
  });

  test("is not offered where there is no queue", async () => {
    await using project = await fixture("slow");
    const { page, errors } = await openUi(project);
    await page.getByText("No study here yet").waitFor();
    expect(await page.getByRole("link", { name: "Fleet" }).count()).toBe(0);
    expect(errors).toEqual([]);
    await page.context().close();
  });
});
