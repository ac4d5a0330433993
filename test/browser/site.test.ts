import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityProblems, noBrowser, TestBrowser, takePicture } from "../support/browser.ts";

describe.skipIf(noBrowser)("the website of the documentation", () => {
  const site = mkdtempSync(join(tmpdir(), "assay-site-"));
  let browser: TestBrowser;

  beforeAll(async () => {
    const script = fileURLToPath(new URL("../../scripts/build-site.js", import.meta.url));
    const { stderr, status } = spawnSync(process.execPath, [script, site], { encoding: "utf8" });
    expect(status, stderr).toBe(0);
    browser = await TestBrowser.launch();
  });
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    rmSync(site, { recursive: true, force: true });
  });

  test("links only to pages and headings that it has", () => {
    const pages = readdirSync(site, { recursive: true })
      .map(String)
      .filter((path) => path.endsWith(".html"));
    const broken = pages.flatMap((page) => {
      const html = readFileSync(join(site, page), "utf8");
      const links = [...html.matchAll(/(?:href|src)="(?!https?:|mailto:)([^"#]*)(?:#([^"]*))?"/g)];
      return links.flatMap(([, path, heading]) => {
        const target = join(site, path === "" ? page : join(dirname(page), path!));
        const isThere =
          existsSync(target) && (!heading || readFileSync(target, "utf8").includes(`id="${heading}"`));
        return isThere ? [] : [`${page}: ${path}#${heading ?? ""}`];
      });
    });
    expect(pages).toContain("docs/tutorial.html");
    expect(broken).toEqual([]);
  });

  test("finds a section by its words, with the keyboard alone", async () => {
    const { page, errors, foreign } = await browser.open(pathToFileURL(join(site, "index.html")).href);
    await page.keyboard.press("/");
    await page.keyboard.type("gate for CI");
    await page.locator("#found a").first().waitFor();
    await takePicture(page, "site-search");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(/docs\/compare\.html#a-gate-for-ci$/);
    expect(await page.locator("h2:target").textContent()).toContain("A gate for CI");
    expect(errors).toEqual([]);
    expect(foreign.filter((url) => !url.startsWith(pathToFileURL(site).href))).toEqual([]);
  });

  test("has nothing in its way for people who can't see it", async () => {
    const { page } = await browser.open(pathToFileURL(join(site, "index.html")).href);
    await page.locator("#search").fill("gate");
    await page.locator("#found a").first().waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  test("says so when nothing is found", async () => {
    const { page } = await browser.open(pathToFileURL(join(site, "docs/index.html")).href);
    await page.locator("#search").fill("xyzzyplugh");
    expect(await page.locator("#found").textContent()).toContain("Nothing found");
  });
});
