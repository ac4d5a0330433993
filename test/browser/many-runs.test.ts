import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { readViewer } from "../../src/read/built-files.ts";
import { html } from "../../src/reporters/html.ts";
import type { RunTable } from "../../src/reporters/study-view.ts";
import { aReport } from "../support/a-report.ts";
import { aRecord, aStudyFile } from "../support/a-study.ts";
import { noBrowser, TestBrowser } from "../support/browser.ts";
import { TempFolder } from "../support/temp-folder.ts";

const COUNT = 100_000;

/** A hundred thousand rows: two policies in turn, a latency that rises and falls. */
function manyRuns(): RunTable {
  const rows = Array.from({ length: COUNT }, (_, i) => i);
  return {
    count: COUNT,
    columns: [
      { name: "run", role: "id", kind: "text", words: rows.map((i) => `run-${i}`), codes: rows },
      { name: "policy", role: "param", kind: "text", words: ["fifo", "full"], codes: rows.map((i) => i % 2) },
      { name: "status", role: "status", kind: "text", words: ["ok"], codes: rows.map(() => 0) },
      { name: "seed", role: "seed", kind: "number", unit: null, values: rows },
      {
        ...{ name: "latency_ms", role: "metric", kind: "number", unit: "ms" },
        values: rows.map((i) => (i * 7919) % COUNT),
      },
    ],
  };
}

describe.skipIf(noBrowser)(`a report of 100,000 runs${noBrowser ? ` (skipped: ${noBrowser})` : ""}`, () => {
  test("opens, scrolls to its end, sorts and filters, and says which runs are rows only", async () => {
    const report = aReport(aStudyFile(), [aRecord({ id: "run-0" })]);
    const { runs: _, ...data } = { ...report.data, left: COUNT - 1 };
    const encode = (value: unknown) => ({
      encoding: "deflate-base64" as const,
      text: deflateSync(JSON.stringify(value)).toString("base64"),
    });
    const encoded = { data: encode(data), runs: encode(manyRuns()) };
    const [page0] = html.render({ ...report, encoded, viewer: readViewer() });
    using folder = new TempFolder();
    writeFileSync(`${folder.path}/index.html`, page0!.content);
    await using browser = await TestBrowser.launch();
    const { page, errors } = await browser.open(pathToFileURL(`${folder.path}/index.html`).href);
    await page.getByRole("link", { name: /^runs/ }).click();
    await page.locator(".virtual tbody a").first().waitFor();
    expect(await page.locator(".table-line").innerText()).toMatch(
      /100,000 runs\s+99,999 of them as rows only/,
    );
    expect(await page.locator(".virtual table").getAttribute("aria-rowcount")).toBe("100001");
    expect(await page.locator(".virtual tbody tr[data-place]").count()).toBeLessThan(100);
    await page.locator(".virtual").evaluate((box) => box.scrollTo(0, box.scrollHeight));
    await page.locator('tr[data-place="99999"]', { hasText: "run-99999" }).waitFor();
    await page.locator(".virtual").evaluate((box) => box.scrollTo(0, 0));
    await page.locator("th", { hasText: "latency_ms" }).locator("button").click();
    // 7919 is prime to 100,000, so each latency is there once: 1 where 7919 i = 1 + 100,000 k, at i = 17,679.
    await page.locator('tr[data-place="1"]', { hasText: "run-17679" }).waitFor();
    await page.getByLabel("Filter runs").fill("policy=full seed<1000");
    await page.locator(".table-line", { hasText: "500 of 100,000 runs" }).waitFor();
    await page.locator(".virtual tbody a").nth(3).click();
    await page.locator(".run-nav", { hasText: "4 of 500 filtered" }).waitFor();
    expect(await page.locator("main").innerText()).toContain("too large to hold every run's details");
    expect(errors).toEqual([]);
  });
});
