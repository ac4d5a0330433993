import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lamps } from "../support/agent-pages.ts";
import { accessibilityProblems, noBrowser, TestBrowser, takePicture } from "../support/browser.ts";
import type { Project } from "../support/fixture.ts";
import { waitFor } from "../support/wait-for.ts";

describe.skipIf(noBrowser)(`the reader of transcripts${noBrowser ? ` (skipped: ${noBrowser})` : ""}`, () => {
  let project: Project;
  let browser: TestBrowser;
  let address: (hash: string) => string;
  let id: string;

  beforeAll(async () => {
    [project, browser] = await Promise.all([lamps(), TestBrowser.launch()]);
    const served = project.start("ui", "--json");
    const line = await waitFor("the address", () => served.stdout.includes("\n") && served.stdout);
    const { url } = JSON.parse(line) as { url: string };
    address = (hash) => `${url}#/study/lamps${hash.startsWith("?") ? "" : "/"}${hash}`;
    id = project
      .records("lamps")
      .find(({ task, params }) => task === "lamp-3" && params.strategy === "quick")!.id;
  });
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await project?.[Symbol.asyncDispose]();
  });

  test("opens on what the agent did, with an outline that marks errors and leads to a turn", async () => {
    const { page, errors } = await browser.open(address(`run/${id}`));
    const turns = page.getByRole("navigation", { name: "Turns" });
    await turns.getByRole("button", { name: /Turn 5 pytest.*error.*500 tokens in/ }).click();
    await page.waitForURL(/turn=5/);
    await page.waitForFunction(() => document.querySelector("#turn-5")!.getBoundingClientRect().top < 200);
    await page.keyboard.press("j");
    await page.waitForURL(/turn=6/);
    expect(await page.locator(".outcome .status").innerText()).toBe("not solved");
    expect(await accessibilityProblems(page)).toEqual([]);
    await takePicture(page, "transcript");
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test("shows the prompt as it was sent, with what was taken out marked", async () => {
    const { page, errors } = await browser.open(address(`run/${id}?turn=6`));
    await page.getByText("Prompt as sent at turn 6").click();
    const prompt = page.locator(".prompt[open]");
    expect(await prompt.locator(".gone .turn-label").allInnerTexts()).toEqual([
      "turn 1: output (taken out)",
      "turn 2: output (taken out)",
    ]);
    await page.getByText("Prompt as sent at turn 9").click();
    await page.locator(".prompt[open] .turn-text.checkpoint", { hasText: "What was before." }).waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test("keeps the table's filter and order on every tab, and on the way back", async () => {
    const { page, errors } = await browser.open(address("?tab=runs&filter=strategy%3Dquick&sort=-seed"));
    await page.locator(".table-line", { hasText: "9 of 18 runs" }).waitFor();
    await page.locator(".virtual tbody a").nth(1).click();
    const tabs = page.getByRole("navigation", { name: "Views of this run" }).getByRole("link");
    await tabs.first().waitFor();
    const names = (await tabs.allTextContents()).map((name) => name.replace(/\d+$/, ""));
    expect(names).toEqual(["transcript", "patch", "tests", "details", "files"]);
    for (const name of [...names.slice(1), names[0]!]) {
      await tabs.filter({ hasText: name }).click();
      await page.locator('.tabs [aria-current="page"]', { hasText: name }).waitFor();
      await page.locator(".run-nav", { hasText: "2 of 9 filtered" }).waitFor();
      expect(page.url()).toMatch(/filter=strategy%3Dquick&sort=-seed/);
    }
    await page.getByRole("link", { name: "Next →" }).click();
    await page.locator(".run-nav", { hasText: "3 of 9 filtered" }).waitFor();
    await page
      .getByRole("navigation", { name: "Around this run" })
      .getByRole("link", { name: "runs" })
      .click();
    await page.locator(".table-line", { hasText: "9 of 18 runs" }).waitFor();
    await page.waitForURL(/sort=-seed/);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test("searches this run, and all runs of the study", async () => {
    const { page, errors } = await browser.open(address(`run/${id}`));
    await page.getByRole("navigation", { name: "Turns" }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("broken fuse");
    await page.getByText("1 of 9 turns").waitFor();
    await page.getByText("All runs: 18 turns").waitFor();
    const other = page.locator(".found a", { hasText: "careful" }).first();
    const name = await other.locator(".mono").innerText();
    await other.click();
    await page.getByRole("heading", { name }).waitFor();
    await page.waitForURL(/turn=5/);
    expect(project.exists("bench_runs/lamps/transcripts.db")).toBe(true);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test("renders the patch, the tests and any file, and runs nothing of them", async () => {
    const { page, errors, foreign } = await browser.open(address(`run/${id}?tab=patch`));
    const diff = page.getByRole("region", { name: "Patch of lamp.py" });
    expect(await diff.locator(".line.removed").innerText()).toContain("-    return 0");
    expect(await diff.locator(".line.added").innerText()).toContain(`</script><img src=x onerror=`);
    expect(await diff.locator(".line.added").innerText()).toContain("\\x1b[31mred");
    expect(await accessibilityProblems(page)).toEqual([]);
    await takePicture(page, "patch");
    await page.getByRole("link", { name: "tests" }).click();
    await page.locator("pre.log", { hasText: "1 failed: broken fuse" }).waitFor();
    await page.getByRole("link", { name: /files/ }).click();
    await page.getByRole("link", { name: "out/artifacts/test-output.txt", exact: true }).click();
    await page.locator("pre.log", { hasText: "1 failed: broken fuse" }).waitFor();
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
    expect([errors, foreign]).toEqual([[], []]);
    await page.context().close();
  });
});
