import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noBrowser, TestBrowser, type Watched } from "../support/browser.ts";
import { fixture, type Project } from "../support/fixture.ts";
import { waitFor } from "../support/wait-for.ts";

const HOSTILE = `</script><img src=x onerror="window.hacked=1"><svg onload="window.hacked=2">`;
const FORMULA = `=HYPERLINK("http://example.invalid","x")`;

/** Names and texts of every kind that would run, if anything took them for markup. */
const target = `
import { defineTarget, z } from "assay/plugin";
const bad = ${JSON.stringify(HOSTILE)};
export default defineTarget({
  name: "hostile",
  params: z.strictObject({ arm: z.string() }),
  run({ params, seed, series }) {
    for (let step = 0; step < 5; step++) series({ step, [bad]: step * seed });
    console.log(bad + "\\u001b[31m<!--");
    console.error("--></style>" + bad);
    if (seed === 3) throw new Error(bad);
    return { [bad]: seed + params.arm.length / 100, ["cost_" + bad]: 1 / seed, "__proto__ ": seed };
  },
});`;
const study = JSON.stringify({
  study: "hostile",
  question: HOSTILE,
  target: "./hostile.mjs",
  matrix: { arm: [HOSTILE, FORMULA] },
  seeds: 3,
  analysis: { metric: HOSTILE, goal: "minimize" },
});

describe.skipIf(noBrowser)(`hostile data${noBrowser ? ` (skipped: ${noBrowser})` : ""}`, () => {
  let project: Project;
  let browser: TestBrowser;

  beforeAll(async () => {
    [project, browser] = await Promise.all([
      fixture("page", { "hostile.mjs": target, "hostile.json": study }),
      TestBrowser.launch(),
    ]);
    await project.assay("run", "hostile.json", "-q");
    expect(project.records("hostile")).toHaveLength(6);
  });
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await project?.[Symbol.asyncDispose]();
  });

  /** Nothing ran, nothing became an element, and nothing tried to. */
  async function expectHarmless({ page, errors, foreign }: Watched): Promise<void> {
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
    expect(await page.locator("img, iframe, object, embed, [onerror], [onload]").count()).toBe(0);
    expect(errors).toEqual([]);
    expect(foreign).toEqual([]);
  }

  async function walk(page: Page, base: string, id: string): Promise<void> {
    for (const view of ["", "?tab=charts", `?tab=runs&cols=${encodeURIComponent("arm,reason,status")}`]) {
      await page.goto(`${base}${view}`);
      await page
        .locator(view.includes("runs") ? ".virtual tbody a" : "figure svg")
        .first()
        .waitFor();
    }
    await page.goto(`${base.replace(/\/$/, "")}/run/${encodeURIComponent(id)}`);
    await page.locator("pre.log").first().waitFor();
  }

  test("runs nothing in a report: not as a name, a value, a log, an error, nor in its charts", async () => {
    const address = pathToFileURL(project.path("bench_runs/hostile/report/index.html")).href;
    const watched = await browser.open(address);
    const { page } = watched;
    await page.locator("figure svg").first().waitFor();
    // It stands there as text, so that the check is about it.
    expect(await page.locator("h1").innerText()).toBe(HOSTILE);
    expect(await page.locator("figure svg text", { hasText: "</script>" }).count()).toBeGreaterThan(0);
    const broken = project.records("hostile").find(({ seed }) => seed === 3)!;
    await walk(page, `${address}#/`, broken.id);
    expect(await page.locator(".reason-block").innerText()).toContain(HOSTILE);
    expect(await page.locator("pre.log").first().innerText()).toContain(HOSTILE);
    await expectHarmless(watched);
    await page.context().close();
  });

  test("runs nothing in a chart's SVG file, opened on its own", async () => {
    const names = project.list("bench_runs/hostile/report/assets").filter((name) => name.endsWith(".svg"));
    expect(names.length).toBeGreaterThan(1);
    const watched = await browser.open(
      pathToFileURL(project.path(`bench_runs/hostile/report/assets/${names[0]}`)).href,
    );
    expect(await watched.page.locator("text", { hasText: "</script>" }).count()).toBeGreaterThan(0);
    await expectHarmless(watched);
    await watched.page.context().close();
  });

  test("is no formula in the CSV", async () => {
    const address = pathToFileURL(project.path("bench_runs/hostile/report/index.html")).href;
    const { page } = await browser.open(`${address}#/?tab=runs&cols=arm`);
    await page.locator(".virtual tbody a").first().waitFor();
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByText("Save CSV").click()]);
    const csv = readFileSync(await download.path(), "utf8");
    expect(csv).toContain(`"'=HYPERLINK(""http://example.invalid"",""x"")"`);
    expect(csv).not.toMatch(/(^|,)"?=/m);
    await page.context().close();
  });

  test("cannot run even if something let it in: the policy stops an inline script and a request", async () => {
    const address = pathToFileURL(project.path("bench_runs/hostile/report/index.html")).href;
    const { page, errors } = await browser.open(address);
    await page.locator("figure svg").first().waitFor();
    await page.evaluate(() => {
      const box = document.createElement("div");
      box.innerHTML = `<img src="x:y" onerror="window.hacked=3">`;
      document.body.append(box);
      const script = document.createElement("script");
      script.textContent = "window.hacked=4";
      document.body.append(script);
      fetch("http://127.0.0.1:1/").catch(() => {});
    });
    await waitFor(
      "three refusals",
      () => errors.filter((text) => /Content Security Policy/.test(text)).length > 2,
    );
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
    await page.context().close();
  });

  test("runs nothing in the live page either", async () => {
    const served = project.start("ui", "--json");
    const line = await waitFor("the address", () => served.stdout.includes("\n") && served.stdout);
    const { url } = JSON.parse(line) as { url: string };
    const watched = await browser.open(url);
    await watched.page.getByRole("link", { name: "hostile" }).first().waitFor();
    const broken = project.records("hostile").find(({ seed }) => seed === 3)!;
    await walk(watched.page, `${new URL(url).origin}/#/study/hostile`, broken.id);
    await expectHarmless(watched);
    await watched.page.context().close();
  });
});
