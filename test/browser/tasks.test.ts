import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lamps } from "../support/agent-pages.ts";
import { accessibilityProblems, noBrowser, TestBrowser, takePicture } from "../support/browser.ts";
import type { Project } from "../support/fixture.ts";

describe.skipIf(noBrowser)(`the tasks of a study${noBrowser ? ` (skipped: ${noBrowser})` : ""}`, () => {
  let project: Project;
  let browser: TestBrowser;
  let report: string;

  beforeAll(async () => {
    [project, browser] = await Promise.all([lamps(), TestBrowser.launch()]);
    report = pathToFileURL(project.path("bench_runs/lamps/report/index.html")).href;
  });
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await project?.[Symbol.asyncDispose]();
  });

  test("stand by arm with tries that disagree marked, sort by how hard they are, and a cell leads to its runs", async () => {
    const { page, errors, foreign } = await browser.open(`${report}#/`);
    await page.getByRole("link", { name: /tasks/i }).click();
    const rows = async () =>
      (await page.locator("tbody tr[data-place]").allInnerTexts()).map((row) => row.trim().split(/\s*\t\s*/));
    await page.getByRole("link", { name: "careful on lamp-2: 3/3" }).waitFor();
    expect(
      (await rows()).map(([task, solved, , cost, quick, careful]) => [task, solved, cost, quick, careful]),
    ).toEqual([
      ["lamp-1", "100 %", "$0.60", "3/3", "3/3"],
      ["lamp-2", "66.7 %", "$0.60", "1/3 ±", "3/3"],
      ["lamp-3", "0 %", "$1.80", "0/3", "0/3"],
    ]);
    await page.getByRole("columnheader", { name: "solved" }).getByRole("button").click();
    await page.waitForURL(/sort=solved/);
    expect((await rows())[0]![0]).toBe("lamp-3");
    expect(await accessibilityProblems(page)).toEqual([]);
    await takePicture(page, "tasks");
    await page.getByLabel("only where arms differ").check();
    await page.getByText("1 of 3 tasks").waitFor();
    const endings = page.getByRole("group", { name: "Endings" });
    expect(await endings.locator("tbody tr").first().innerText()).toMatch(
      /patch plain: not solved\s+–\s+8\s+5\s+3/,
    );
    await page.getByRole("link", { name: "quick on lamp-2: 1/3 ±" }).click();
    await page.locator(".table-line", { hasText: "3 of 18 runs" }).waitFor();
    expect([errors, foreign]).toEqual([[], []]);
    await page.context().close();
  });

  test("lead from two cells to their transcripts side by side", async () => {
    const { page, errors } = await browser.open(`${report}#/?tab=tasks&pair=1`);
    await page.getByRole("button", { name: "quick on lamp-2: 1/3" }).click();
    await page.getByText("Choose the second cell.").waitFor();
    await page.getByRole("button", { name: "careful on lamp-2: 3/3" }).click();
    // Equal turns are folded away.
    await page.locator(".turn-pair:visible").first().waitFor();
    expect(await page.locator(".sides").innerText()).toMatch(/quick[\s\S]*careful/);
    expect(errors).toEqual([]);
    await page.context().close();
  });
});
