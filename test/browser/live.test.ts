import { rmSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  accessibilityProblems,
  noBrowser,
  ownErrors,
  TestBrowser,
  type Watched,
} from "../support/browser.ts";
import { fixture, type Project } from "../support/fixture.ts";
import { freePort } from "../support/free-port.ts";
import { waitFor } from "../support/wait-for.ts";

describe.skipIf(noBrowser)(`the live page${noBrowser ? ` (skipped: ${noBrowser})` : ""}`, () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.launch();
  });
  afterAll(() => browser?.[Symbol.asyncDispose]());

  async function openUi(project: Project, ...words: string[]): Promise<Watched & { origin: string }> {
    const served = project.start("ui", "--json", ...words);
    const line = await waitFor("the address", () => served.stdout.includes("\n") && served.stdout);
    const { url } = JSON.parse(line) as { url: string };
    return { ...(await browser.open(url)), origin: new URL(url).origin };
  }

  test("says what to do where there is no study, and follows one from another process to its end", async () => {
    await using project = await fixture("slow");
    const { page, errors, foreign, origin } = await openUi(project);
    await page.getByText("No study here yet").waitFor();
    expect(await page.locator(".empty-state").innerText()).toContain("assay run");
    expect(page.url()).not.toContain("token");
    const run = project.start("run", "study.yaml", "--no-report");
    await page.getByRole("link", { name: "slow" }).click();
    await page.locator(".live .badge", { hasText: "running" }).waitFor();
    await page.goto(`${origin}/#/study/slow?tab=runs`);
    await page.getByText("No run has ended yet").waitFor();
    project.write("go", "");
    await page.locator(".table-line", { hasText: "6 runs" }).waitFor();
    await page.locator(".study-head .badge", { hasText: "done" }).waitFor();
    expect((await run.ended).code).toBe(0);
    await page.goto(`${origin}/#/study/slow`);
    await page.locator(".counts li", { hasText: /6\s*ok/ }).waitFor();
    // While its folder is being made, the server may answer that there is no such study.
    expect(ownErrors(errors)).toEqual([]);
    expect(foreign).toEqual([]);
    await page.context().close();
  });

  test("shows a run that is under way: what it was called with, its output so far, then its end", async () => {
    await using project = await fixture("slow");
    project.edit("wait.sh", "until", "echo hello from the run; until");
    const { page, errors, origin } = await openUi(project);
    const run = project.start("run", "study.yaml", "--no-report");
    await waitFor("two runs to start", () => project.lines("started.txt").length === 2);
    await page.goto(`${origin}/#/study/slow`);
    await page.getByRole("region", { name: "Running now" }).getByRole("link").first().click();
    await page.locator(".outcome .status", { hasText: "running" }).waitFor();
    await page.locator("pre.log", { hasText: "hello from the run" }).waitFor();
    await page.locator(".facts dt", { hasText: "seed" }).waitFor();
    project.write("go", "");
    await page.locator(".outcome .status", { hasText: "ok" }).waitFor();
    await page.getByRole("group", { name: "Metrics" }).waitFor();
    expect((await run.ended).code).toBe(0);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test("shows a run that was asked for before it had begun, once it is there", async () => {
    await using project = await fixture("slow", { go: "" });
    await project.assay("run", "study.yaml", "-q", "--no-report");
    const last = project.records("slow").find(({ seed }) => seed === 6)!;
    rmSync(project.path("go"));
    rmSync(project.path("started.txt"));
    const run = project.start("run", "study.yaml", "--fresh", "--no-report");
    await waitFor("two runs to start", () => project.lines("started.txt").length === 2);
    const { page, errors, origin } = await openUi(project);
    await page.goto(`${origin}/#/study/slow/run/${last.id}`);
    await page.getByText("No run has this name").waitFor();
    project.write("go", "");
    await page.locator(".outcome .status", { hasText: "ok" }).waitFor();
    expect((await run.ended).code).toBe(0);
    expect(ownErrors(errors)).toEqual([]);
    await page.context().close();
  });

  test("loads in a ninth tab of one browser, and all of them follow the study to its end", async () => {
    await using project = await fixture("slow");
    const run = project.start("run", "study.yaml", "--no-report");
    await waitFor("two runs to start", () => project.lines("started.txt").length === 2);
    const { page, errors, origin } = await openUi(project);
    const pages = [page];
    for (let i = 1; i < 9; i++) pages.push(await page.context().newPage());
    for (const tab of pages) {
      await tab.goto(`${origin}/#/study/slow`);
      await tab.locator(".live .badge", { hasText: "running" }).waitFor();
    }
    project.write("go", "");
    expect((await run.ended).code).toBe(0);
    for (const tab of pages) {
      await tab.locator(".live .badge", { hasText: "done" }).waitFor();
      await tab.locator(".counts li", { hasText: /6\s*ok/ }).waitFor();
    }
    expect(ownErrors(errors)).toEqual([]);
    await page.context().close();
  });

  test("pauses, resumes and cancels one run where that is allowed", async () => {
    await using project = await fixture("slow");
    const { page, origin } = await openUi(project, "--allow-control");
    const run = project.start("run", "study.yaml", "--no-report");
    await waitFor("two runs to start", () => project.lines("started.txt").length === 2);
    await page.goto(`${origin}/#/study/slow`);
    await page.getByRole("button", { name: "Pause" }).click();
    await page.locator(".live .badge", { hasText: "paused" }).waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await page
      .getByRole("button", { name: /^Cancel run seed1__/ })
      .first()
      .click();
    await waitFor("the run's end", () => project.records("slow").length === 1);
    expect(project.onlyRecord("slow")).toMatchObject({ seed: 1, outcome: { status: "cancelled" } });
    project.write("go", "");
    expect((await run.ended).code).toBe(1);
    await page.locator(".live .badge", { hasText: "stopped" }).waitFor();
    await page.context().close();
  });

  test("changes how many runs there are at once, and a shell does so, too", async () => {
    await using project = await fixture("slow");
    const { page, origin } = await openUi(project, "--allow-control");
    const run = project.start("run", "study.yaml", "--no-report");
    await waitFor("two runs to start", () => project.lines("started.txt").length === 2);
    await page.goto(`${origin}/#/study/slow`);
    expect(await page.getByLabel("Jobs").inputValue()).toBe("2");
    await page.getByLabel("Jobs").fill("4");
    await page.getByLabel("Jobs").press("Enter");
    await waitFor("four runs", () => project.lines("started.txt").length === 4);
    const asked = await project.assay("adjust", "slow", "--jobs", "6", "--max-cost", "5", "--json");
    expect(JSON.parse(asked.stdout)).toMatchObject({ action: "adjust", jobs: 6, costUsd: 5, taken: true });
    await waitFor("all six", () => project.lines("started.txt").length === 6);
    await page.waitForFunction(() => {
      const [jobs, budget] = document.querySelectorAll<HTMLInputElement>(".amount input");
      return jobs?.value === "6" && budget?.value === "5";
    });
    await page.locator(".progress", { hasText: /for \d/ }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect((await project.assay("adjust", "slow")).stderr).toContain("--jobs, --max-cost or --max-time");
    project.write("go", "");
    expect((await run.ended).code).toBe(0);
    await page.context().close();
  });

  test("runs again what was nobody's fault, and only that, where it is allowed", async () => {
    await using project = await fixture("page", {
      "needs.mjs": `import { existsSync } from "node:fs";
import { defineTarget, MachineError, z } from "assay/plugin";
export default defineTarget({
  name: "needs",
  params: z.strictObject({}),
  metrics: { score: {} },
  run({ seed }) {
    if (seed === 1) throw new Error("wrong answer");
    if (seed === 2 && !existsSync("network")) throw new MachineError("no network");
    return { score: seed };
  },
});`,
      "needs.json": JSON.stringify({
        study: "needs",
        target: "./needs.mjs",
        seeds: 3,
        limits: { retries: 0 },
      }),
    });
    expect((await project.assay("run", "needs.json", "-q", "--no-report")).code).toBe(1);
    project.write("network", "");
    const { page, errors, origin } = await openUi(project, "--allow-control");
    await page.goto(`${origin}/#/study/needs`);
    const failures = page.getByRole("region", { name: "Failures: infrastructure" });
    await failures.getByRole("button", { name: "Run it again" }).click();
    await page.locator(".counts li", { hasText: /2\s*ok/ }).waitFor();
    await failures.waitFor({ state: "detached" });
    const again = project
      .records("needs")
      .map(({ seed, attempt, outcome }) => [seed, attempt, outcome.owner]);
    expect(again).toHaveLength(4);
    expect(again.at(-1)).toEqual([2, 2, undefined]);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test("offers nothing to press where it may only read", async () => {
    await using project = await fixture("slow");
    const { page, origin } = await openUi(project);
    const run = project.start("run", "study.yaml", "--no-report");
    await waitFor("two runs to start", () => project.lines("started.txt").length === 2);
    await page.goto(`${origin}/#/study/slow`);
    await page.getByRole("region", { name: "Running now" }).getByRole("link").first().waitFor();
    expect(await page.getByRole("button", { name: /Pause|Resume|Cancel/ }).count()).toBe(0);
    project.write("go", "");
    await run.ended;
    await page.context().close();
  });

  test("compares two studies, and two runs of one", async () => {
    await using project = await fixture("sums");
    await project.run("study.yaml", "-q");
    await project.run("study.yaml", "-q", "--exp-name", "other", "-p", "b=11");
    const { page, errors } = await openUi(project);
    for (const name of ["sums", "other"])
      await page.locator("li.card", { hasText: name }).getByRole("checkbox").check();
    await page.getByRole("link", { name: "Compare the two" }).click();
    await page.getByRole("heading", { name: "Two studies" }).waitFor();
    await page.getByRole("row", { name: "params.b 10 11" }).waitFor();
    expect(await page.locator(".answer.small .sentence").first().innerText()).toContain("sum");
    await page.reload();
    await page.getByRole("row", { name: "params.b 10 11" }).waitFor();
    await page.getByRole("link", { name: "Swap A and B" }).click();
    await page.getByRole("row", { name: "params.b 11 10" }).waitFor();
    await page.getByRole("link", { name: "sums", exact: true }).click();
    await page.getByRole("link", { name: /^runs/ }).click();
    await page.locator(".virtual tbody input").nth(0).check();
    await page.locator(".virtual tbody input").nth(1).check();
    await page.getByText("Compare the two chosen runs").click();
    await page.getByRole("heading", { name: "Two runs" }).waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test("shows the new runs where a study was begun afresh", async () => {
    await using project = await fixture("sums");
    await project.run("study.yaml", "-q");
    const { page, errors, origin } = await openUi(project);
    await page.goto(`${origin}/#/study/sums?tab=runs&cols=sum,a`);
    await page.locator(".table-line", { hasText: "4 runs" }).waitFor();
    project.edit("study.yaml", "[1, 2]\n", "[7]\n");
    await project.run("study.yaml", "-q", "--fresh");
    await page.locator(".table-line", { hasText: /^2 runs/ }).waitFor();
    expect(await page.locator(".virtual tbody a").allInnerTexts()).toEqual([
      expect.stringContaining("seed7"),
      expect.stringContaining("seed7"),
    ]);
    // While one folder takes the other's place, the server may answer that there is none.
    expect(ownErrors(errors)).toEqual([]);
    await page.context().close();
  });

  test("behind a proxy that asks who you are shows all folders below its path, live, and changes nothing", async () => {
    await using project = await fixture("slow");
    project.write("other/study.yaml", "study: other\ntarget: noop\nseeds: 2\n");
    await project.assay("run", "other/study.yaml", "-q", "--no-report", "--out-root", "other/results");
    project.env.ASSAY_PROXY_SECRET = "psst";
    const run = project.start("run", "study.yaml", "--no-report");
    await waitFor("two runs to start", () => project.lines("started.txt").length === 2);
    const uiPort = await freePort();
    await using proxy = await authenticatingProxy(uiPort, "psst");
    const address = `http://127.0.0.1:${proxy.port}/lab/assay/`;
    const ui = project.start(
      ...["ui", "bench_runs", "other/results", "--json", "--port", String(uiPort)],
      ...["--proxy-user", "X-Forwarded-User", "--public-url", address],
    );
    await waitFor("the address", () => ui.stdout.includes("\n"));
    for (const door of [address, `http://127.0.0.1:${uiPort}/lab/assay/`])
      expect((await fetch(door)).status).toBe(401);
    const { page, errors, foreign } = await browser.open(address, {
      httpCredentials: { username: "ada", password: "lovelace" },
    });
    await page.getByRole("link", { name: "other", exact: true }).waitFor();
    await page.getByRole("link", { name: "slow" }).click();
    await page.locator(".live .badge", { hasText: "running" }).waitFor();
    expect(page.url()).toContain("/lab/assay/#/study/");
    // What is changed by the page where it may: none of it is offered.
    for (const name of ["Pause", "Cancel", "Note"])
      expect(await page.getByRole("button", { name }).count()).toBe(0);
    project.write("go", "");
    await page.locator(".counts li", { hasText: /6\s*ok/ }).waitFor();
    expect((await run.ended).code).toBe(0);
    // Also by hand, with all that the proxy lets through.
    const status = await page.evaluate(async () => {
      const body = JSON.stringify({ action: "pause" });
      return (await fetch("api/studies/slow/control", { method: "POST", body })).status;
    });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(proxy.paths.every((path) => path.startsWith("/lab/assay/"))).toBe(true);
    expect(ownErrors(errors).filter((error) => !/40[0-9]/.test(error))).toEqual([]);
    expect(foreign).toEqual([]);
    await page.context().close();
  });
});

/** A small reverse proxy: asks for a name and a password, says the name to the page, and sets what browsers must not. */
async function authenticatingProxy(port: number, secret: string) {
  const paths: string[] = [];
  const server = createServer((asked, answer) => {
    const [user] = Buffer.from(asked.headers.authorization?.split(" ")[1] ?? "", "base64")
      .toString()
      .split(":");
    if (!user) {
      answer.writeHead(401, { "www-authenticate": "Basic" }).end("Who are you?");
      return;
    }
    paths.push(asked.url!);
    const { authorization: _, ...headers } = asked.headers;
    const own = { "x-forwarded-user": user, "x-assay-proxy-secret": secret };
    const passed = request(
      { port, path: asked.url, method: asked.method, headers: { ...headers, ...own } },
      (reply) => {
        answer.writeHead(reply.statusCode!, reply.headers);
        reply.pipe(answer);
      },
    );
    passed.on("error", () => answer.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    paths,
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
