import { cpSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { appendNote } from "../../src/archive/notes.ts";
import { aStudy } from "../support/a-study.ts";
import { recordsOf, studyFolder } from "../support/a-study-folder.ts";
import { lamps } from "../support/agent-pages.ts";
import { accessibilityProblems, noBrowser, TestBrowser, takePicture } from "../support/browser.ts";
import type { Project } from "../support/fixture.ts";
import { waitFor } from "../support/wait-for.ts";

const HOSTILE = '</script><img src=x onerror="window.hacked=1">\u202e';

describe.skipIf(noBrowser)(`notes on the page${noBrowser ? ` (skipped: ${noBrowser})` : ""}`, () => {
  let project: Project;
  let browser: TestBrowser;
  let address: (hash: string) => string;
  let id: string;

  beforeAll(async () => {
    [project, browser] = await Promise.all([lamps(), TestBrowser.launch()]);
    const served = project.start("ui", "--json");
    const line = await waitFor("the address", () => served.stdout.includes("\n") && served.stdout);
    const { url } = JSON.parse(line) as { url: string };
    address = (hash) => `${url}#/study/lamps${hash}`;
    id = project.anyRecord("lamps").id;
  });
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await project?.[Symbol.asyncDispose]();
  });

  test("of two people on one run are seen by both, become columns, and go into the report", async () => {
    const [ada, bo] = await Promise.all([
      browser.open(address(`/run/${id}`)),
      browser.open(address(`/run/${id}`)),
    ]);
    for (const [page, name] of [
      [ada.page, "ada"],
      [bo.page, "bo"],
    ] as const) {
      const panel = page.getByRole("region", { name: "Notes on this run" });
      await panel.locator(".writer button").click();
      await panel.getByLabel("Your name").fill(name);
      await panel.getByLabel("Your name").press("Enter");
    }
    await ada.page.locator("main").press("1");
    await bo.page
      .getByRole("group", { name: "Your verdict" })
      .first()
      .getByRole("button", { name: "fail" })
      .click();
    await bo.page.getByLabel("Add a tag").first().fill(HOSTILE);
    await bo.page.getByLabel("Add a tag").first().press("Enter");
    const seen = ada.page.locator(".notes .said li", { hasText: "bo," });
    await seen.locator(".tag", { hasText: "img" }).waitFor();
    expect(await seen.locator(".badge").innerText()).toBe("fail");
    await ada.page.getByRole("button", { name: "Note on turn 2" }).click();
    const turn = ada.page.getByRole("region", { name: "Notes on turn 2" });
    await turn.getByRole("button", { name: "Write a note" }).click();
    await turn.getByLabel("Your note").fill(HOSTILE);
    await turn.getByRole("button", { name: "Save" }).click();
    await turn.locator(".note-text", { hasText: "onerror" }).waitFor();
    expect(await accessibilityProblems(ada.page)).toEqual([]);
    await takePicture(ada.page, "notes-run");

    await bo.page.goto(address("?tab=runs&filter=verdict~pass"));
    const row = bo.page.locator("tbody tr[data-place]");
    await row.first().waitFor();
    expect(await row.count()).toBe(1);
    expect(await row.first().innerText()).toContain("fail / pass");
    await bo.page.goto(address("?tab=tasks"));
    await bo.page.getByRole("button", { name: "Notes on lamp-2" }).click();
    const dialog = bo.page.getByRole("dialog");
    await dialog.getByRole("button", { name: "unsure" }).click();
    await dialog.getByRole("button", { name: "unsure", pressed: true }).waitFor();
    expect(await accessibilityProblems(bo.page)).toEqual([]);

    await ada.page.goto(address(""));
    await ada.page.getByText("1 judged differently").waitFor();
    expect(await accessibilityProblems(ada.page)).toEqual([]);

    expect((await project.assay("report", "lamps", "--no-plots")).code).toBe(0);
    const report = await browser.open(pathToFileURL(project.path("bench_runs/lamps/report/index.html")).href);
    await report.page.locator(".said li", { hasText: "turn 2" }).waitFor();
    expect(await report.page.getByRole("button", { name: "unsure" }).count()).toBe(0);
    for (const { page, errors } of [ada, bo, report]) {
      expect(errors).toEqual([]);
      expect(await page.evaluate("window.hacked")).toBeUndefined();
      await page.context().close();
    }
  });

  test("of people on some runs say what a judge of all of them is worth, on the page and in the report", async () => {
    const study = aStudy({
      ...{ name: "judged", axes: [{ names: ["model"], rows: [["<b>small"], ["big"]] }] },
      seeds: Array.from({ length: 40 }, (_, i) => i + 1),
      score: [
        {
          ...{ name: "tone", isNamed: true },
          by: { kind: "judge", model: "m", criteria: { polite: "Is it polite?" }, repeats: 1 },
        },
      ],
    });
    const records = recordsOf(study, ({ seed }) => ({ metrics: { "tone/polite": seed % 2 } }));
    using folder = studyFolder(study, records);
    for (const { id: run, seed } of records.slice(0, 20))
      appendNote(folder.path, {
        ...{ at: "2026-01-01T00:00:00Z", by: "ada", run },
        verdict: seed % 2 === 1 ? "pass" : "fail",
      });
    cpSync(folder.path, project.path("bench_runs/judged"), { recursive: true });
    expect((await project.assay("report", "judged", "--no-plots")).code).toBe(0);
    const report = pathToFileURL(project.path("bench_runs/judged/report/index.html")).href;
    for (const where of [address("").replace("study/lamps", "study/judged"), report]) {
      const { page, errors } = await browser.open(where);
      const table = page.getByRole("group", { name: "Judge and labels" });
      await table.waitFor();
      expect(await table.locator("th").allInnerTexts()).toContain("labels saved");
      expect(await table.locator("tbody tr").count()).toBe(2);
      expect(await table.locator("tbody").innerText()).toContain("<b>small");
      await page.getByText("Valid whatever the judge is like").waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      expect(errors).toEqual([]);
      await page.context().close();
    }
  });
});
