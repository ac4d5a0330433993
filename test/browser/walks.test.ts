import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noBrowser, TestBrowser, type Watched } from "../support/browser.ts";
import { fixture, type Project } from "../support/fixture.ts";
import { waitFor } from "../support/wait-for.ts";

const broken = `
import { defineTarget, z } from "assay/plugin";
export default defineTarget({
  name: "broken",
  params: z.strictObject({}),
  run({ seed }) { throw new Error("no " + "apple pear fig plum kiwi lime date nut".split(" ")[seed - 1]); },
});`;

describe.skipIf(noBrowser)(
  `small walks through the page${noBrowser ? ` (skipped: ${noBrowser})` : ""}`,
  () => {
    let project: Project;
    let browser: TestBrowser;
    let report: string;
    let live: string;

    beforeAll(async () => {
      [project, browser] = await Promise.all([
        fixture("page", {
          "broken.mjs": broken,
          "broken.yaml": "study: broken\ntarget: ./broken.mjs\nseeds: 8\n",
        }),
        TestBrowser.launch(),
      ]);
      await project.assay("run", "study.yaml", "-q");
      await project.assay("run", "broken.yaml", "-q", "--no-report");
      report = pathToFileURL(project.path("bench_runs/page/report/index.html")).href;
      const served = project.start("ui", "--json");
      const line = await waitFor("the address", () => served.stdout.includes("\n") && served.stdout);
      live = (JSON.parse(line) as { url: string }).url;
    });
    afterAll(async () => {
      await browser?.[Symbol.asyncDispose]();
      await project?.[Symbol.asyncDispose]();
    });

    async function visit(
      address: string,
      look: (watched: Watched) => Promise<void>,
      options: { width?: number } = {},
    ): Promise<void> {
      const watched = await browser.open(address, {
        viewport: { width: options.width ?? 1360, height: 900 },
      });
      try {
        await look(watched);
        expect(watched.errors).toEqual([]);
      } finally {
        await watched.page.context().close();
      }
    }

    test("Esc in the filter's field takes the filter away, and an expression of the command line is one", async () => {
      await visit(`${report}#/?tab=runs`, async ({ page }) => {
        const box = page.getByLabel("Filter runs");
        await box.fill("policy == 'full' and size == 50");
        await page.locator(".table-line", { hasText: "10 of 40 runs" }).waitFor();
        await box.press("Escape");
        await page.locator(".table-line", { hasText: "40 runs" }).waitFor();
        await page.waitForURL((url) => !url.href.includes("filter"));
        expect(await box.inputValue()).toBe("");
      });
    });

    test("j leads into the table from anywhere, and Enter opens its row", async () => {
      await visit(`${report}#/?tab=runs`, async ({ page }) => {
        await page.locator(".virtual tbody a").first().waitFor();
        await page.keyboard.press("j");
        await page.keyboard.press("j");
        await page.keyboard.press("k");
        const first = await page.locator(".virtual tbody a").first().innerText();
        await page.waitForFunction((id) => document.activeElement?.textContent === id, first);
      });
    });

    test("a report's files open beside it", async () => {
      const { id } = project.records("page").find(({ outcome }) => outcome.status === "ok")!;
      await visit(`${report}#/run/${encodeURIComponent(id)}?tab=files`, async ({ page }) => {
        await page.locator(".files a", { hasText: "answer.txt" }).click();
        await page.getByText("42").waitFor();
        expect(decodeURIComponent(page.url())).toContain(`/runs/${id}/out/answer.txt`);
      });
    });

    test("a study of which every run failed says so, and its numbers lead to the runs", async () => {
      await visit(`${live}#/`, async ({ page }) => {
        const card = page.locator(".card", { hasText: "broken" });
        await card.getByText("all failed", { exact: true }).waitFor();
        await card.getByRole("link", { name: "8 failed" }).click();
        await page.locator(".table-line", { hasText: "8 runs" }).waitFor();
        await page.getByRole("link", { name: "overview" }).click();
        await page.getByText("No answer: no run has succeeded.").waitFor();
        await page.getByRole("link", { name: "and 3 further reasons" }).click();
        await page.getByRole("table", { name: "Runs by reason" }).waitFor();
      });
    });

    test("on a phone a chart that is cut says so, and its buttons cover nothing", async () => {
      await visit(
        `${live}#/study/page`,
        async ({ page }) => {
          const figure = page.locator("figure").first();
          await figure.locator(".canvas.cut").waitFor();
          expect(await overlap(page, "figure .tools", "figure svg")).toBe(false);
        },
        { width: 390 },
      );
    });

    test("one colour means worse in all charts of a study, and no arm has it", async () => {
      await visit(report, async ({ page }) => {
        await page.locator("figure svg").first().waitFor();
        const { worse, better, arms } = await page.evaluate(verdictMarks);
        expect(new Set([...worse, ...better].map(({ chart }) => chart)).size).toBeGreaterThan(1);
        // Less is better here: what is worse takes longer.
        expect(worse.filter(({ gap }) => gap <= 0)).toEqual([]);
        expect(better.filter(({ gap }) => gap >= 0)).toEqual([]);
        expect([worse.length, better.length]).not.toContain(0);
        expect(arms.length).toBeGreaterThan(1);
        expect(arms.join()).not.toMatch(/worse|better/);
      });
    });

    test("on a desk a chart's buttons cover no title", async () => {
      await visit(report, async ({ page }) => {
        await page.locator("figure svg").first().waitFor();
        const covered = await page.evaluate(coveredTitles);
        expect(covered.charts).toBeGreaterThan(4);
        expect(covered.titles).toEqual([]);
      });
    });

    test("what closes an enlarged chart stands beside its buttons", async () => {
      await visit(`${live}#/study/page?chart=paired_differences`, async ({ page }) => {
        await page.locator("dialog svg").waitFor();
        expect(await overlap(page, "dialog .close", "dialog .tools .tool")).toBe(false);
      });
    });

    test("a printed table breaks no word", async () => {
      await visit(
        `${report}`,
        async ({ page }) => {
          await page.locator("table.plain").first().waitFor();
          await page.emulateMedia({ media: "print" });
          expect(await page.evaluate(brokenWords)).toEqual([]);
        },
        { width: 700 },
      );
    });
  },
);

async function overlap(page: Page, a: string, b: string): Promise<boolean> {
  const [one, other] = await Promise.all([a, b].map((name) => page.locator(name).first().boundingBox()));
  if (!one || !other) throw new Error(`${a} or ${b} is not there`);
  const isApart = (start: "x" | "y", size: "width" | "height") =>
    one[start] + one[size] <= other[start] || other[start] + other[size] <= one[start];
  return !isApart("x", "width") && !isApart("y", "height");
}

/** What is painted as worse and as better, with the difference or ratio that it stands for; and the colours of arms. */
function verdictMarks() {
  const marks = (name: string) =>
    [...document.querySelectorAll(`figure [fill*="plot-${name}"], figure [stroke*="plot-${name}"]`)].flatMap(
      (mark) => {
        const tip = mark.closest("[data-tip]")?.getAttribute("data-tip")?.replace("−", "-") ?? "";
        const [, difference] = /difference (-?[\d.]+)/.exec(tip) ?? [];
        const [, ratio] = /: ([\d.]+) \[/.exec(tip) ?? [];
        const gap = difference === undefined ? Number(ratio) - 1 : Number(difference);
        return Number.isNaN(gap) ? [] : [{ tip, gap, chart: mark.closest("figure")!.id }];
      },
    );
  const arms = [...document.querySelectorAll("figure .legend .entry")].map(
    (entry) => /plot-(?!ink)\w+/.exec(entry.innerHTML)?.[0] ?? "",
  );
  return { worse: marks("worse"), better: marks("better"), arms };
}

/** Charts on whose title a button lies. */
function coveredTitles(): { charts: number; titles: string[] } {
  const titles: string[] = [];
  const figures = [...document.querySelectorAll("figure")];
  for (const figure of figures) {
    const buttons = [...figure.querySelectorAll(".tools .tool")].map((one) => one.getBoundingClientRect());
    const title = figure.querySelector('svg text[font-weight="bold"]')!;
    const { top, bottom } = title.getBoundingClientRect();
    // However long the title is: no button stands at its height.
    if (buttons.some((one) => one.bottom > top && one.top < bottom)) titles.push(title.textContent!);
  }
  return { charts: figures.length, titles };
}

/** Words of the page's tables that stand on two lines; behind an underscore a name may go on in the next one. */
function brokenWords(): string[] {
  const found: string[] = [];
  for (const cell of document.querySelectorAll("table.plain th, table.plain td")) {
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      for (const match of node.textContent!.matchAll(/[^\W_]+/g)) {
        const range = document.createRange();
        range.setStart(node, match.index);
        range.setEnd(node, match.index + match[0].length);
        if (range.getClientRects().length > 1) found.push(match[0]);
      }
  }
  return found;
}
