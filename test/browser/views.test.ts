import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityProblems, noBrowser, TestBrowser, takePicture } from "../support/browser.ts";
import { fixture, type Project } from "../support/fixture.ts";
import { waitFor } from "../support/wait-for.ts";

/** Runs to look at, as an address has them. */
interface Ids {
  ok: string;
  failed: string;
  first: string;
  last: string;
}

interface View {
  /** After `#/`. */
  hash: (ids: Ids) => string;
  /** There once the view is. */
  mark: string;
  act?: (page: Page) => Promise<void>;
}

/** Every view of the page; those of a report are among those of the live page. */
const VIEWS: Record<string, View> = {
  list: { hash: () => "", mark: "li.card" },
  overview: { hash: () => "study/page", mark: "figure svg" },
  charts: { hash: () => "study/page?tab=charts", mark: "figure svg" },
  enlarged: { hash: () => "study/page?chart=paired_differences", mark: "dialog svg" },
  runs: { hash: () => "study/page?tab=runs&sort=-latency_ms", mark: ".virtual tbody a" },
  groups: { hash: () => "study/page?tab=runs&group=policy", mark: ".virtual tbody a" },
  columns: {
    hash: () => "study/page?tab=runs",
    mark: ".virtual tbody a",
    act: (page) => page.locator("summary", { hasText: "Columns" }).click(),
  },
  nothing: { hash: () => "study/page?tab=runs&filter=nothing", mark: ".empty-state" },
  run: { hash: ({ ok }) => `study/page/run/${ok}`, mark: "figure svg" },
  failed: { hash: ({ failed }) => `study/page/run/${failed}`, mark: ".reason-block" },
  "two-runs": {
    hash: ({ first, last }) => `study/page/compare-runs?a=${first}&b=${last}`,
    mark: "figure svg",
  },
  "two-studies": { hash: () => "compare?a=page&b=other", mark: "figure svg" },
  help: {
    hash: () => "study/page",
    mark: "figure svg",
    act: async (page) => {
      await page.keyboard.press("?");
      await page.locator("dialog[open]").waitFor();
    },
  },
};

describe.skipIf(noBrowser)(`every view${noBrowser ? ` (skipped: ${noBrowser})` : ""}`, () => {
  let project: Project;
  let browser: TestBrowser;
  let url: string;
  let ids: Ids;

  beforeAll(async () => {
    [project, browser] = await Promise.all([fixture("page"), TestBrowser.launch()]);
    await project.assay("run", "study.yaml", "-q", "--no-report");
    project.edit("agent.mjs", "0.7 : 1", "0.6 : 1");
    await project.assay("run", "study.yaml", "-q", "--no-report", "--exp-name", "other");
    const served = project.start("ui", "--json");
    const line = await waitFor("the address", () => served.stdout.includes("\n") && served.stdout);
    url = (JSON.parse(line) as { url: string }).url;
    const records = project.records("page");
    const ended = (status: string) => records.find(({ outcome }) => outcome.status === status)!;
    const [ok, failed, first, last] = [ended("ok"), ended("failed"), records[0]!, records.at(-1)!].map(
      ({ id }) => encodeURIComponent(id),
    ) as [string, string, string, string];
    ids = { ok, failed, first, last };
  });
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await project?.[Symbol.asyncDispose]();
  });

  /** What is wrong with one view at one width. */
  async function check(
    name: string,
    width: number,
    problemsOf: (page: Page) => Promise<string[]>,
  ): Promise<string[]> {
    const { hash, mark, act } = VIEWS[name]!;
    const { page, errors } = await browser.open(`${url}#/${hash(ids)}`, {
      colorScheme: "light",
      viewport: { width, height: 900 },
    });
    await page.locator(mark).first().waitFor();
    await act?.(page);
    await takePicture(page, `${name}-light-${width}`);
    const problems = await problemsOf(page);
    expect(errors).toEqual([]);
    await page.context().close();
    return problems;
  }

  test.each(Object.keys(VIEWS))(
    "is accessible, in the dark too, where only contrast differs: %s",
    async (name) => {
      const inBoth = async (page: Page) => {
        const inLight = await accessibilityProblems(page);
        await page.emulateMedia({ colorScheme: "dark" });
        await takePicture(page, `${name}-dark-1360`);
        return [...inLight, ...(await accessibilityProblems(page, ["color-contrast"]))];
      };
      expect(await check(name, 1360, inBoth)).toEqual([]);
    },
  );

  test.each(Object.keys(VIEWS))("fits a phone without scrolling sideways: %s", async (name) => {
    const overflow = async (page: Page) => {
      const px = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return scrollWidth - clientWidth;
      });
      return px > 0 ? [`${px} px too wide`] : [];
    };
    expect(await check(name, 390, overflow)).toEqual([]);
  });
});
