import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noBrowser, TestBrowser, type Watched } from "../support/browser.ts";
import { fixture, type Project } from "../support/fixture.ts";

describe.skipIf(noBrowser)(`a report opened from disk${noBrowser ? ` (skipped: ${noBrowser})` : ""}`, () => {
  let project: Project;
  let browser: TestBrowser;
  let address: string;

  beforeAll(async () => {
    [project, browser] = await Promise.all([fixture("page"), TestBrowser.launch()]);
    const ended = await project.assay("run", "study.yaml", "-q");
    expect(ended).toMatchObject({ code: 1 });
    address = pathToFileURL(project.path("bench_runs/page/report/index.html")).href;
  });
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await project?.[Symbol.asyncDispose]();
  });

  /** Opens a view, and makes sure at the end that nothing went wrong behind it. */
  async function visit(hash: string, look: (watched: Watched) => Promise<void>): Promise<void> {
    const watched = await browser.open(`${address}${hash}`);
    try {
      await look(watched);
      expect(watched.errors).toEqual([]);
      expect(watched.foreign).toEqual([]);
    } finally {
      await watched.page.context().close();
    }
  }
  const lineOf = ({ page }: Watched) => page.locator(".table-line").innerText();
  const idsOf = ({ page }: Watched) => page.locator(".virtual tbody a").allInnerTexts();

  test("says the question, the answer with its interval, and what failed, and asks for nothing from elsewhere", async () => {
    await visit("", async ({ page }) => {
      await page.locator("figure svg").first().waitFor();
      expect(await page.locator("h1").innerText()).toBe(
        "Does the full policy answer faster than first come, first served?",
      );
      expect(await page.locator(".answer .sentence").innerText()).toMatch(
        /full beats fifo on latency_ms by [\d.]+ % \[[\d.]+, [\d.]+\]/,
      );
      expect(await page.locator(".failures").innerText()).toContain("the queue was full");
      expect(await page.locator("figure").count()).toBeGreaterThan(4);
      expect(await page.locator("main").innerText()).not.toContain(project.dir);
    });
  });

  test("sorts by a click on a header, up, down and as it came, and the address holds it", async () => {
    await visit("#/?tab=runs", async (watched) => {
      const { page } = watched;
      const header = page.locator("th", { hasText: "latency_ms" });
      const cells = async () =>
        (await page.locator("tbody tr[data-place]").allInnerTexts()).map((row) => row.split("\t"));
      await header.locator("button").click();
      await page.locator("th[aria-sort=ascending]").waitFor();
      const heads = (await page.locator("thead th").allInnerTexts()).map((text) => text.split("\n")[0]);
      const at = heads.indexOf("latency_ms");
      const values = (await cells()).map((row) => Number(row[at])).filter(Number.isFinite);
      expect(values.length).toBeGreaterThan(5);
      expect(values).toEqual(values.toSorted((a, b) => a - b));
      await header.locator("button").click();
      await page.locator("th[aria-sort=descending]").waitFor();
      await page.waitForURL(/sort=-latency_ms/);
      const [first] = await idsOf(watched);
      await page.reload();
      await page.locator("th[aria-sort=descending]").waitFor();
      expect((await idsOf(watched))[0]).toBe(first);
      await header.locator("button").click();
      await page.waitForURL((url) => !url.href.includes("sort"));
    });
  });

  test("filters by words and conditions, says what a condition can't mean, and offers a way back", async () => {
    await visit("#/?tab=runs", async (watched) => {
      const { page } = watched;
      const box = page.getByLabel("Filter runs");
      await box.fill("policy=full size=50");
      await page.locator(".table-line", { hasText: "10 of 40 runs" }).waitFor();
      await page.waitForURL(/filter=policy%3Dfull\+size%3D50/);
      await box.fill("polcy=full");
      await page.locator(".table-line .bad").waitFor();
      expect(await lineOf(watched)).toContain('There is no column "polcy". Did you mean "policy"?');
      await box.fill("nothing-has-this");
      await page.getByText("No run matches").waitFor();
      await page.getByText("Clear the filter").click();
      await page.locator(".table-line", { hasText: "40 runs" }).waitFor();
    });
  });

  test("groups runs, and a group leads to its runs", async () => {
    await visit("#/?tab=runs", async (watched) => {
      const { page } = watched;
      await page.getByLabel("Group by").selectOption("policy");
      await page.getByRole("table", { name: "Runs by policy" }).waitFor();
      const rows = (await page.locator("tbody tr[data-place]").allInnerTexts()).map((row) => row.split("\t"));
      // One run of fifo fails.
      expect(rows.map((row) => row.slice(0, 3))).toEqual([
        ["fifo", "20", "18"],
        ["full", "20", "20"],
      ]);
      await page.locator("tbody a", { hasText: "full" }).click();
      await page.locator(".table-line", { hasText: "20 of 40 runs" }).waitFor();
      await page.waitForURL(/filter=policy%3Dfull/);
      await page.goBack();
      await page.getByRole("table", { name: "Runs by policy" }).waitFor();
    });
  });

  test("shows the columns that are chosen, and saves what is shown as CSV", async () => {
    await visit("#/?tab=runs&filter=policy%3Dfull", async ({ page }) => {
      await page.locator("summary", { hasText: "Columns" }).click();
      await page.locator(".panel label", { hasText: "owner" }).locator("input").check();
      await page.locator("th", { hasText: "owner" }).waitFor();
      await page.locator(".panel label", { hasText: "turns" }).locator("input").uncheck();
      await page.keyboard.press("Escape");
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByText("Save CSV").click(),
      ]);
      const lines = readFileSync(await download.path(), "utf8")
        .trimEnd()
        .split("\n");
      expect(lines).toHaveLength(21);
      expect(lines[0]!.split(",")).toEqual(expect.arrayContaining(["run", "policy", "owner", "latency_ms"]));
      expect(lines[0]!.split(",")).not.toContain("turns");
      expect(lines.slice(1).every((line) => line.includes(",full,"))).toBe(true);
    });
  });

  test("leads from a row to the run's page, and from there to its neighbours in the same order", async () => {
    await visit("#/?tab=runs&filter=policy%3Dfull&sort=-latency_ms", async (watched) => {
      const { page } = watched;
      await page.locator(".virtual tbody a").first().waitFor();
      const ids = await idsOf(watched);
      await page.locator(".virtual tbody a").nth(1).click();
      await page.locator(".run-title", { hasText: ids[1]! }).waitFor();
      await page.locator("pre.log").first().waitFor();
      const text = await page.locator("article.run").innerText();
      expect(text).toContain("2 of 20 filtered");
      expect(text).toContain("the end");
      expect(text).toContain("out/answer.txt");
      expect(text).toContain(`assay run study.yaml --rerun ${ids[1]}`);
      expect(await page.locator("figure svg").count()).toBe(2);
      await page.keyboard.press("n");
      await page.locator(".run-title", { hasText: ids[2]! }).waitFor();
      await page.keyboard.press("p");
      await page.locator(".run-title", { hasText: ids[1]! }).waitFor();
      await page.getByRole("link", { name: "runs", exact: true }).click();
      await page.locator(".table-line", { hasText: "20 of 40 runs" }).waitFor();
      await page.waitForURL(/sort=-latency_ms/);
    });
  });

  test("works by keyboard alone", async () => {
    await visit("#/", async (watched) => {
      const { page } = watched;
      await page.locator("figure svg").first().waitFor();
      await page.keyboard.press("?");
      await page.locator("dialog[open]").waitFor();
      await page.keyboard.press("Escape");
      await page.locator("dialog").waitFor({ state: "detached" });
      await page.keyboard.press("g");
      await page.keyboard.press("r");
      await page.locator(".virtual tbody a").first().waitFor();
      await page.keyboard.press("/");
      await page.keyboard.type("policy=full");
      await page.locator(".table-line", { hasText: "20 of 40 runs" }).waitFor();
      await page.keyboard.press("Tab");
      const ids = await idsOf(watched);
      await page.locator(".virtual").focus();
      const focused = (id: string) =>
        page.waitForFunction((text) => document.activeElement?.textContent === text, id);
      for (const id of ids.slice(0, 3)) {
        await page.keyboard.press("ArrowDown");
        await focused(id);
      }
      await page.keyboard.press("ArrowUp");
      await focused(ids[1]!);
      await page.keyboard.press("Enter");
      await page.locator(".run-title", { hasText: ids[1]! }).waitFor();
      await page.goBack();
      await page.locator(".table-line", { hasText: "20 of 40 runs" }).waitFor();
    });
  });

  test("puts two runs side by side: what differs first, and their series over each other", async () => {
    await visit("#/?tab=runs&filter=seed%3D1", async ({ page }) => {
      await page.locator(".virtual tbody input").nth(0).check();
      await page.getByText("Choose one more run to compare.").waitFor();
      await page.locator(".virtual tbody input").nth(1).check();
      await page.getByText("Compare the two chosen runs").click();
      await page.getByRole("heading", { name: "Two runs" }).waitFor();
      expect(await page.locator("tr.different").count()).toBeGreaterThan(0);
      expect(await page.locator("figure path.mean").count()).toBe(4);
      await page.reload();
      await page.getByRole("heading", { name: "Two runs" }).waitFor();
    });
  });

  test("tells a chart's values under the pointer, and a legend hides what it names", async () => {
    await visit("#/?tab=charts", async ({ page }) => {
      const figure = page.locator("#chart-curves_loss");
      const line = figure.locator("path.mean").first();
      await line.scrollIntoViewIfNeeded();
      const middle = await line.evaluate((path: SVGPathElement) => {
        const { x, y } = path
          .getPointAtLength(path.getTotalLength() / 2)
          .matrixTransform(path.getScreenCTM()!);
        return { x, y };
      });
      await page.mouse.move(middle.x, middle.y);
      await figure.locator(".tip").waitFor();
      expect(await figure.locator(".tip").innerText()).toMatch(/^(fifo|full)\nstep \(count\) [\d.]+\nloss/);
      const name = figure.locator(".switch").first();
      await name.focus();
      await page.keyboard.press("Enter");
      expect(await name.getAttribute("aria-pressed")).toBe("false");
      expect(await figure.locator("[data-hidden]").count()).toBeGreaterThan(0);
    });
  });

  test("prints light and whole: the answer and all charts, without buttons", async () => {
    await visit("#/", async ({ page }) => {
      await page.locator("figure svg").first().waitFor();
      await page.emulateMedia({ media: "print", colorScheme: "dark" });
      expect(await page.locator("figure:visible").count()).toBe(await page.locator("figure").count());
      expect(await page.locator("header.top:visible, nav.tabs:visible, figure .tool:visible").count()).toBe(
        0,
      );
      const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(paper).toMatch(/^(rgb\(255, 255, 255\)|rgba\(0, 0, 0, 0\))$/);
    });
  });

  test("says so where a link names a run that is not there", async () => {
    await visit("#/run/nothing", async ({ page }) => {
      await page.getByText("No run has this name").waitFor();
    });
  });

  test("still says the answer where scripts are off", async () => {
    const { page } = await browser.open(address, { javaScriptEnabled: false });
    expect(await page.locator("noscript").innerText()).toContain("full beats fifo on latency_ms");
    await page.context().close();
  });
});
