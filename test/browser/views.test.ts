import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityProblems, noBrowser, TestBrowser, takePicture } from "../support/browser.ts";
import { fixture, type Project } from "../support/fixture.ts";
import { waitFor } from "../support/wait-for.ts";

interface View {
  /** After `#/`. */
  hash: string;
  /** There once the view is. */
  mark: string;
  act?: (page: Page) => Promise<void>;
}

/** Every view of the page; those of a report are among those of the live page. */
function viewsOf(project: Project): Record<string, View> {
  const records = project.records("page");
  const id = (status: string) =>
    encodeURIComponent(records.find(({ outcome }) => outcome.status === status)!.id);
  const [a, b] = [records[0]!.id, records.at(-1)!.id].map(encodeURIComponent);
  return {
    list: { hash: "", mark: "li.card" },
    overview: { hash: "study/page", mark: "figure svg" },
    charts: { hash: "study/page?tab=charts", mark: "figure svg" },
    enlarged: { hash: "study/page?chart=paired_differences", mark: "dialog svg" },
    runs: { hash: "study/page?tab=runs&sort=-latency_ms", mark: ".virtual tbody a" },
    groups: { hash: "study/page?tab=runs&group=policy", mark: ".virtual tbody a" },
    columns: {
      hash: "study/page?tab=runs",
      mark: ".virtual tbody a",
      act: (page) => page.locator("summary", { hasText: "Columns" }).click(),
    },
    nothing: { hash: "study/page?tab=runs&filter=nothing", mark: ".empty-state" },
    run: { hash: `study/page/run/${id("ok")}`, mark: "figure svg" },
    failed: { hash: `study/page/run/${id("failed")}`, mark: ".reason-block" },
    "two-runs": { hash: `study/page/compare-runs?a=${a}&b=${b}`, mark: "figure svg" },
    "two-studies": { hash: "compare?a=page&b=other", mark: "figure svg" },
    help: {
      hash: "study/page",
      mark: "figure svg",
      act: async (page) => {
        await page.keyboard.press("?");
        await page.locator("dialog[open]").waitFor();
      },
    },
  };
}

describe.skipIf(noBrowser)(`every view${noBrowser ? ` (skipped: ${noBrowser})` : ""}`, () => {
  let project: Project;
  let browser: TestBrowser;
  let url: string;
  let views: Record<string, View>;

  beforeAll(async () => {
    [project, browser] = await Promise.all([fixture("page"), TestBrowser.launch()]);
    await project.assay("run", "study.yaml", "-q", "--no-report");
    project.edit("agent.mjs", "0.7 : 1", "0.6 : 1");
    await project.assay("run", "study.yaml", "-q", "--no-report", "--exp-name", "other");
    const served = project.start("ui", "--json");
    const line = await waitFor("the address", () => served.stdout.includes("\n") && served.stdout);
    url = (JSON.parse(line) as { url: string }).url;
    views = viewsOf(project);
  });
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await project?.[Symbol.asyncDispose]();
  });

  async function eachView(
    look: { colorScheme: "light" | "dark"; width: number },
    check: (page: Page) => Promise<string[]>,
  ): Promise<Record<string, string[]>> {
    const viewport = { width: look.width, height: 900 };
    const { page, errors } = await browser.open(url, { colorScheme: look.colorScheme, viewport });
    const found: Record<string, string[]> = {};
    for (const [name, { hash, mark, act }] of Object.entries(views)) {
      await page.goto("about:blank");
      await page.goto(`${new URL(url).origin}/#/${hash}`);
      await page.locator(mark).first().waitFor();
      await act?.(page);
      await takePicture(page, `${name}-${look.colorScheme}-${look.width}`);
      const problems = await check(page);
      if (problems.length > 0) found[name] = problems;
    }
    expect(errors).toEqual([]);
    await page.context().close();
    return found;
  }

  test("is accessible", async () => {
    const look = { colorScheme: "light", width: 1360 } as const;
    expect(await eachView(look, (page) => accessibilityProblems(page))).toEqual({});
  });

  test("has enough contrast in the dark, which is all that differs there", async () => {
    const look = { colorScheme: "dark", width: 1360 } as const;
    expect(await eachView(look, (page) => accessibilityProblems(page, ["color-contrast"]))).toEqual({});
  });

  test("fits a phone without scrolling sideways", async () => {
    const overflow = async (page: Page) => {
      const px = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return scrollWidth - clientWidth;
      });
      return px > 0 ? [`${px} px too wide`] : [];
    };
    expect(await eachView({ colorScheme: "light", width: 390 }, overflow)).toEqual({});
  });
});
