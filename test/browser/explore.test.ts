import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityProblems, noBrowser, TestBrowser, takePicture } from "../support/browser.ts";
import { fixture, type Project } from "../support/fixture.ts";
import { waitFor } from "../support/wait-for.ts";

const HOSTILE = '"><img src=x onerror="window.hacked=1">';

describe.skipIf(noBrowser)(`exploring${noBrowser ? ` (skipped: ${noBrowser})` : ""}`, () => {
  let project: Project;
  let browser: TestBrowser;
  let address: (hash: string) => string;

  beforeAll(async () => {
    [project, browser] = await Promise.all([fixture("page"), TestBrowser.launch()]);
    await project.assay("run", "study.yaml", "-q", "--no-report");
    const served = project.start("ui", "--json");
    const line = await waitFor("the address", () => served.stdout.includes("\n") && served.stdout);
    const { url } = JSON.parse(line) as { url: string };
    address = (hash) => `${url}#/study/page${hash}`;
  });
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await project?.[Symbol.asyncDispose]();
  });

  const open = async (hash: string): Promise<Page> => (await browser.open(address(hash))).page;

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
});
