import { cpSync, existsSync, rmSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityProblems, noBrowser, TestBrowser, takePicture } from "../support/browser.ts";
import { fixture, type Project } from "../support/fixture.ts";
import { waitFor } from "../support/wait-for.ts";

const HOSTILE = '"><img src=x onerror="window.hacked=1">';

/** So many cells that no page shows all of them at first. */
const SIZES = {
  ...{ study: "sizes", target: "./agent.mjs", seeds: 1 },
  matrix: { policy: ["fifo", "full"], size: Array.from({ length: 15 }, (_, i) => 10 + i) },
  analysis: { metric: "latency_ms", goal: "minimize", baseline: { policy: "fifo" } },
};

/** A study of each further kind that a few runs make: a search, tries at tasks, and pairs alone. */
const KINDS = {
  hunt: {
    ...{ target: "./agent.mjs", params: { policy: "full" } },
    search: { method: "random", points: 8, space: { size: { min: 10, max: 90 } } },
    analysis: { metric: "latency_ms", goal: "minimize" },
  },
  tries: {
    ...{ target: "./agent.mjs", params: { size: 10 }, matrix: { policy: ["fifo", "full"] }, seeds: 2 },
    ...{ tasks: ["a", "b", "c"], analysis: { metric: "turns" } },
  },
  pairs: {
    ...{ target: "./agent.mjs", params: { size: 10 }, matrix: { policy: ["fifo", "full"] }, seeds: 6 },
    analysis: { metric: "latency_ms", goal: "minimize", baseline: { policy: "fifo" } },
  },
};

describe.skipIf(noBrowser)(`exploring${noBrowser ? ` (skipped: ${noBrowser})` : ""}`, () => {
  let project: Project;
  let browser: TestBrowser;
  let address: (hash: string, study?: string) => string;

  beforeAll(async () => {
    [project, browser] = await Promise.all([fixture("page"), TestBrowser.launch()]);
    project.write("sizes.json", JSON.stringify(SIZES));
    await project.assay("run", "study.yaml", "-q", "--no-report");
    await project.assay("run", "sizes.json", "-q", "--no-report");
    for (const [name, study] of Object.entries(KINDS)) {
      project.write(`${name}.json`, JSON.stringify({ study: name, ...study }));
      const { code, stderr } = await project.assay("run", `${name}.json`, "-q", "--no-report");
      if (code !== 0) throw new Error(stderr);
    }
    const served = project.start("ui", "--json");
    const line = await waitFor("the address", () => served.stdout.includes("\n") && served.stdout);
    const { url } = JSON.parse(line) as { url: string };
    address = (hash, study = "page") => `${url}#/study/${study}${hash}`;
  });
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await project?.[Symbol.asyncDispose]();
  });

  const open = async (hash: string, study?: string): Promise<Page> =>
    (await browser.open(address(hash, study))).page;

  test("a metric from the table's header, over what one chooses; a drag filters, a click opens the run", async () => {
    const page = await open("?tab=runs");
    await page.getByRole("link", { name: "Chart of latency_ms" }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/tab=explore&y=latency_ms/);
    await page.locator("circle.run-point").first().waitFor();
    await page.getByLabel("Along").selectOption("size");
    await page.getByRole("combobox", { name: /^Colour/ }).selectOption("policy");
    await page.getByLabel("log y").check();
    await page.waitForURL(/x=size&colour=policy&log=y/);
    expect(await page.locator("figure path[stroke]").count()).toBeGreaterThan(1);
    await page.getByLabel("Facets").selectOption("variant");
    await page.locator("figure .panel").nth(1).waitFor();
    await page.getByLabel("Facets").selectOption("");
    expect(await accessibilityProblems(page)).toEqual([]);
    await takePicture(page, "explore");

    const dots = page.locator("circle.run-point");
    const before = await dots.count();
    const canvas = (await page.locator("figure .canvas").boundingBox())!;
    await page.mouse.move(canvas.x + canvas.width / 2, canvas.y + 60);
    await page.mouse.down();
    await page.mouse.move(canvas.x + canvas.width - 4, canvas.y + canvas.height - 4, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/filter=latency_ms/);
    await page.waitForFunction((most) => document.querySelectorAll("circle.run-point").length < most, before);
    const id = (await dots.first().getAttribute("data-run"))!;
    await dots.first().hover();
    const tip = page.locator(".tip");
    expect(await tip.innerText()).toMatch(/latency_ms: .* ms[\s\S]*seed: /);
    await dots.first().click();
    await page.waitForURL(/\/run\//);
    const shown = await page.locator(".run-title").innerText();
    expect(project.records("page").map((record) => record.id)).toContain(shown);
    expect(id).not.toBe("");
  });

  test("the cumulative share of runs needs no second axis", async () => {
    const page = await open("?tab=explore&x=share");
    await page.getByText("share of runs at or below").first().waitFor();
    expect(await page.getByLabel("Along").inputValue()).toBe("share");
  });

  test("a view gets a name, another reader finds it, and it is forgotten again", async () => {
    const page = await open("?tab=explore&x=share&y=latency_ms");
    await page.locator(".saved-views summary").click();
    await page.getByLabel("Name of this view").fill(HOSTILE);
    await page.getByLabel("Name of this view").press("Enter");
    await page.locator(".saved-views a", { hasText: "onerror" }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    const other = await open("");
    await other.locator(".saved-views summary").click();
    await other.locator(".saved-views a", { hasText: "onerror" }).click();
    await other.getByText("latency_ms: share of runs").first().waitFor();
    expect(await other.evaluate("window.hacked")).toBeUndefined();
    await other.getByRole("button", { name: /Forget the view/ }).click();
    await page.getByText("No view has a name yet").waitFor();
    expect(project.lines("bench_runs/page/notes.jsonl")).toHaveLength(2);
  });

  test("several runs lie over each other, and the table begins in the upper third", async () => {
    const page = await open("?tab=runs");
    const boxes = page.locator("tbody input[type=checkbox]");
    for (const place of [0, 1, 2]) await boxes.nth(place).check();
    const top = (await page.locator(".virtual").boundingBox())!.y;
    expect(top).toBeLessThan(page.viewportSize()!.height / 3 + 12);
    await page.getByRole("link", { name: "Overlay the 3 chosen runs" }).click();
    await page.getByRole("heading", { name: "3 runs" }).waitFor();
    await page.locator("figure svg").first().waitFor();
    expect(await page.locator("figure").first().locator(".legend .entry").count()).toBe(3);
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  test("every chart of the study has the choosers, and begins with what it shows", async () => {
    const page = await open("", "sizes");
    const figures = page.locator("figure.chart");
    await figures.first().waitFor();
    const choosers = page.getByRole("button", { name: /^Choose metric, axes and colours/ });
    expect(await choosers.count()).toBe(await figures.count());
    const cost = page
      .locator("#chart-cost_over_size, #chart-cost_usd_over_size, #chart-cost_by_policy")
      .first();
    await cost.hover();
    await cost.getByRole("button", { name: /^Choose/ }).click();
    await cost.locator("circle.run-point").first().waitFor();
    expect(await cost.getByRole("combobox", { name: /^Metric/ }).inputValue()).toBe("cost_usd");
    await cost.getByRole("combobox", { name: /^Along/ }).selectOption("size");
    await cost.getByRole("combobox", { name: /^Colour/ }).selectOption("policy");
    await cost.getByLabel("log x").check();
    await page.waitForURL(/choose=cost/);
    expect(await cost.locator("path[stroke]").count()).toBeGreaterThan(1);
    expect(await accessibilityProblems(page)).toEqual([]);
    await takePicture(page, "chosen-chart");

    // The address is a view: another tab shows the same, a dot tells its arm and leads to its run.
    const other = await open(new URL(page.url()).hash.replace("#/study/sizes", ""), "sizes");
    const dot = other.locator("circle.run-point").first();
    // Both policies cost the same, so that one dot may lie on the other.
    await dot.hover({ force: true });
    expect(await other.locator(".tip").innerText()).toMatch(/cost_usd: .* USD[\s\S]*policy: [\s\S]*seed: /);
    await dot.click({ force: true });
    await other.waitForURL(/\/run\//);

    await cost.getByRole("button", { name: "Back to the study's chart" }).click();
    await page.waitForFunction(() => document.querySelectorAll("circle.run-point").length === 0);
    expect(page.url()).not.toContain("choose");
  });

  test.each(Object.keys(KINDS))(
    "the study %s can be explored: every run a dot, and its charts choose",
    async (name) => {
      const page = await open("?tab=explore", name);
      const dots = page.locator("circle.run-point");
      await dots.first().waitFor();
      expect(await dots.count()).toBe(project.records(name).length);
      await page.goto(address("?tab=charts", name));
      const figures = page.locator("figure.chart");
      await figures.first().waitFor();
      for (let place = 0; place < (await figures.count()); place++) {
        await figures.nth(place).hover();
        await figures
          .nth(place)
          .getByRole("button", { name: /^Choose/ })
          .click();
        await figures.nth(place).locator("circle.run-point").first().waitFor();
      }
      await page.context().close();
    },
  );

  test("a run's page folds what all runs of the study have alike", async () => {
    const page = await open(`/run/${encodeURIComponent(project.anyRecord("pairs").id)}`, "pairs");
    const params = page.getByRole("region", { name: "Parameters" });
    await params.getByText("the same in all runs").waitFor();
    expect(await params.getByText("policy", { exact: true }).isVisible()).toBe(true);
    expect(await params.getByText("size", { exact: true }).isVisible()).toBe(false);
    await params.getByText("the same in all runs").click();
    expect(await params.getByText("size", { exact: true }).isVisible()).toBe(true);
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  test("a long table shows its beginning, says how long it is, and prints whole", async () => {
    const page = await open("", "sizes");
    const rows = page.getByRole("group", { name: "Cells" }).locator("tbody tr");
    await rows.first().waitFor();
    expect(await rows.count()).toBe(30);
    const seen = () => rows.evaluateAll((all) => all.filter((row) => row.checkVisibility()).length);
    expect(await seen()).toBe(10);
    await page.emulateMedia({ media: "print" });
    expect(await seen()).toBe(30);
    await page.emulateMedia({ media: "screen" });
    await page.getByRole("button", { name: "Show all 30" }).click();
    expect(await seen()).toBe(30);
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  test("an answer that somebody sees is a look: once, not with every run that ends", async () => {
    // Seed by seed, so that both arms grow alike and the verdict stays.
    const seedOf = (line: string) => JSON.parse(line).seed as number;
    const lines = project.lines("bench_runs/page/journal.jsonl").toSorted((a, b) => seedOf(a) - seedOf(b));
    cpSync(project.path("bench_runs/page"), project.path("bench_runs/growing"), { recursive: true });
    const journal = "bench_runs/growing/journal.jsonl";
    project.write(journal, `${lines.slice(0, 16).join("\n")}\n`);
    rmSync(project.path("bench_runs/growing/looks.jsonl"), { force: true });
    const looks = () =>
      existsSync(project.path("bench_runs/growing/looks.jsonl"))
        ? project.lines("bench_runs/growing/looks.jsonl").map((line) => JSON.parse(line).runs)
        : [];
    const page = await open("", "growing");
    await page.locator(".answer .sentence").waitFor();
    await waitFor("the look", () => looks().length === 1);
    for (const count of [24, 32]) {
      project.write(journal, `${lines.slice(0, count).join("\n")}\n`);
      await page
        .locator(".counts li", { hasText: new RegExp(`${lines.length - count}\\s*not run`) })
        .waitFor();
    }
    await page.reload();
    await page.locator(".answer .sentence").waitFor();
    // What was last seen counts when the reader leaves; to open the page again at as many runs is no other look.
    await waitFor("the look at the end", () => looks().includes(32));
    await page.getByText(/The answer was shown 2 times, at 16 and 32 runs/).waitFor();
    expect(looks()).toEqual([16, 32]);
  });
});
