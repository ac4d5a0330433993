import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { noBrowser, TestBrowser } from "../support/browser.ts";
import { fixture } from "../support/fixture.ts";

/** Its eighth iteration is far out, whatever the machine does: what it measures, it says itself. */
const target = `export default {
  name: "work",
  params: { safeParse: (data) => ({ success: true, data }) },
  metrics: { work_ms: { unit: "ms", direction: "minimize", primary: true } },
  run: ({ params, iteration }) => {
    const end = performance.now() + 15 * params.size;
    let sum = 0;
    while (performance.now() < end) sum += Math.sqrt(sum + 1);
    return { work_ms: (iteration === 7 ? 60 : 6 + (iteration % 4) / 10) * params.size };
  },
};
`;
const spec = `experiment: ./work.mjs
sweep: {size: [1, 2]}
iterations: {warmup: 1, measured: 12}
interleave: false
instrumentation: [timing, {name: psutil, options: {interval_ms: 20}}, cprofile]
`;

describe.skipIf(noBrowser)(`a benchmark's report${noBrowser ? ` (skipped: ${noBrowser})` : ""}`, () => {
  test("shows how iterations lie and came, names the one far out, where the time goes, and what a run used", async () => {
    await using project = await fixture("bench", { "work.mjs": target, "bench.yaml": spec });
    const ran = await project.assay("run", "bench.yaml");
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    await using browser = await TestBrowser.launch();
    const address = pathToFileURL(project.path("bench_runs/bench/report/index.html")).href;
    const open = async (hash: string) => {
      const watched = await browser.open(`${address}${hash}`);
      await watched.page.locator("figure svg").first().waitFor();
      const figure = (title: string) => watched.page.locator("figure", { hasText: title }).first();
      const words = async (title: string) =>
        (await figure(title).locator("svg").innerHTML()).replaceAll(/<[^>]*>/g, " ");
      return { ...watched, figure, words };
    };

    const charts = await open("#/?tab=charts");
    expect(await charts.words("Iterations: work_ms")).toMatch(/size=1[\s\S]*size=2/);
    expect(await charts.words("In the order in which they ran")).toMatch(/\b8\b/);
    expect(await charts.words("Where the time goes: size=1 in")).toContain("run");
    expect(
      await charts.figure("Where the time goes: size=2 against size=1").locator("svg rect").count(),
    ).toBeGreaterThan(1);
    expect(await charts.page.locator("main").innerText()).not.toMatch(/learning curve/i);
    expect(charts.errors).toEqual([]);

    const { id } = project.anyRecord("bench");
    const run = await open(`#/run/${id}`);
    const titles = await run.page.locator("h2").allInnerTexts();
    expect(titles).toEqual(expect.arrayContaining(["Iterations", "Time and resources"]));
    expect(
      await run.page.locator("section[aria-labelledby=measured-title] svg path").count(),
    ).toBeGreaterThan(0);
    expect(run.errors).toEqual([]);
  });

  test("leads with the table of what the target calls its result: profiles below each other, workloads side by side", async () => {
    const grid = `export default {
  name: "grid",
  params: { safeParse: (data) => ({ success: true, data }) },
  metrics: { "{profile=safe|fast}_{workload=reads|writes}_ops": { unit: "1/s", direction: "maximize", primary: true, baseline: { profile: "safe" } } },
  run: ({ iteration }) => ({ safe_reads_ops: 10 + (iteration % 2), safe_writes_ops: 4, fast_reads_ops: 11, fast_writes_ops: 9 }),
};
`;
    await using project = await fixture("bench", {
      "grid.mjs": grid,
      "grid.yaml":
        "experiment: ./grid.mjs\niterations: {warmup: 1, measured: 5}\ninstrumentation: [timing]\n",
    });
    const ran = await project.assay("run", "grid.yaml");
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    await using browser = await TestBrowser.launch();
    const address = pathToFileURL(project.path("bench_runs/grid/report/index.html")).href;
    const { page, errors } = await browser.open(address);
    await page.locator("figure svg").first().waitFor();
    const title = "ops (1/s) by profile and workload";
    const titles = await page.locator("main h2").allInnerTexts();
    expect(titles.indexOf(title)).toBeGreaterThanOrEqual(0);
    expect(titles.indexOf(title)).toBeLessThan(titles.indexOf("Charts"));
    const words = await page.locator(`section[aria-label="${title}"] table`).innerText();
    expect(words).toMatch(/workload=reads\s+workload=writes\s+against safe/);
    expect(words).toMatch(/safe\s+10\S*\s+4\s+1\s/);
    expect(words).toMatch(/fast\s+11\s+9\s/);
    expect(errors).toEqual([]);
  });
});
