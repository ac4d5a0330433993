import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityProblems, noBrowser, TestBrowser, takePicture } from "../support/browser.ts";
import { fixture, type Project } from "../support/fixture.ts";

const HOSTILE = `</script><img src=x onerror="window.hacked=1"> \u001b[31mred\u001b[0m \u202eturned`;

/** An agent of 12 turns on two instances: from turn 4 on it masks, and before turn 7 it makes a checkpoint. */
const target = `
import { mkdirSync, writeFileSync } from "node:fs";
import { defineTarget, z } from "assay/plugin";
const hostile = ${JSON.stringify(HOSTILE)};
export default defineTarget({
  name: "agent-like",
  params: z.strictObject({ strategy: z.string() }),
  run({ params, outDir }) {
    mkdirSync(outDir + "/trajectories", { recursive: true });
    for (const instance of ["lamp-1", "lamp-2"]) {
      const trajectory = Array.from({ length: 12 }, (_, i) => ({
        thought: i === 2 ? "I am " + params.strategy : "I look at part " + (i + 1) + ".",
        action: "cat part-" + (i + 1),
        observation: i === 0 ? hostile : "a line\\n".repeat(i === 1 ? 500 : 2),
        turn_statistics: { cost: 0.001, tokens: { raw_input: 100 * (i + 1), cached_input: 0, output: 20 } },
        extra_info: { context: { masked: Math.max(0, i - 3), ...(i === 6 && { checkpoint: "What was before." }) } },
      }));
      const history = [{ role: "user", content: "Make the lamp work." }];
      const info = { assay_version: "1", instance_id: instance, exit_status: "submitted", submission: "", resolved: false };
      const text = JSON.stringify({ trajectory, history, info });
      writeFileSync(outDir + "/trajectories/" + instance + ".traj", text);
    }
    return { turns: 12, n_instances: 2 };
  },
});`;
const study = JSON.stringify({
  ...{ study: "turns", target: "./agent-like.mjs", matrix: { strategy: ["raw", "masking"] }, seeds: 1 },
});

describe.skipIf(noBrowser)(`a trajectory's page${noBrowser ? ` (skipped: ${noBrowser})` : ""}`, () => {
  let project: Project;
  let browser: TestBrowser;

  beforeAll(async () => {
    [project, browser] = await Promise.all([
      fixture("page", { "agent-like.mjs": target, "turns.json": study }),
      TestBrowser.launch(),
    ]);
    await project.assay("run", "turns.json", "-q");
    expect(project.records("turns")).toHaveLength(2);
  });
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await project?.[Symbol.asyncDispose]();
  });

  const address = (hash: string) =>
    `${pathToFileURL(project.path("bench_runs/turns/report/index.html")).href}#/${hash}`;

  test("shows turns, folds long outputs, and says where masking and a checkpoint acted", async () => {
    const { id } = project.anyRecord("turns");
    const { page, errors, foreign } = await browser.open(address(`run/${id}?filter=strategy%3Draw`));
    await page.locator(".turn").first().waitFor();
    await page.getByRole("link", { name: /details/i }).click();
    await page.getByRole("heading", { name: "Parameters" }).waitFor();
    await page.getByRole("link", { name: /transcript/i }).click();
    await page.locator(".turn").first().waitFor();
    expect(page.url()).toContain("filter=strategy");
    expect(await page.locator(".turn").count()).toBe(12);
    expect(await page.locator("#turn-12 ~ .badge").textContent()).toBe("8 old outputs masked");
    expect(await page.locator(".turn", { hasText: "What was before." }).locator("h3").textContent()).toBe(
      "Turn 7",
    );
    expect(await page.locator(".turn-facts").nth(4).textContent()).toBe("500 in · 20 out · $0.001");
    await takePicture(page, "trajectory");
    expect(await accessibilityProblems(page)).toEqual([]);
    expect([errors, foreign]).toEqual([[], []]);
    await page.context().close();
  });

  test("unfolds a long output, and goes to another instance by its address", async () => {
    const { id } = project.anyRecord("turns");
    const { page } = await browser.open(address(`run/${id}?tab=trajectory`));
    const long = page.locator(".turn").nth(1).locator(".turn-text.output");
    const folded = await long.locator("pre").innerText();
    await long.getByRole("button").click();
    expect((await long.locator("pre").innerText()).length).toBeGreaterThan(folded.length);
    await page.getByLabel("Instance").selectOption({ label: "lamp-2 · submitted · not solved" });
    await page.waitForURL(/lamp-2/);
    await page.context().close();
  });

  test("runs nothing of what a tool wrote, and shows its escape codes", async () => {
    const { id } = project.anyRecord("turns");
    const { page, errors } = await browser.open(address(`run/${id}?tab=trajectory`));
    const text = await page.locator(".turn").first().locator(".turn-text.output pre").innerText();
    expect(text).toContain(
      `</script><img src=x onerror="window.hacked=1"> \\x1b[31mred\\x1b[0m \\u202eturned`,
    );
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
    expect(await page.locator("img, [onerror]").count()).toBe(0);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test("has a table of instances whose rows are a line high, and which fits on paper", async () => {
    const { page, errors } = await browser.open(address(""), { viewport: { width: 460, height: 900 } });
    const table = page.getByRole("group", { name: "Instances" }).locator("table");
    await table.waitFor();
    const heights = await table
      .locator("tbody tr:visible")
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
    expect(Math.max(...heights)).toBeLessThan(50);
    await page.emulateMedia({ media: "print" });
    const [width, paper] = await table.evaluate((one) => [one.scrollWidth, document.body.clientWidth]);
    expect(width).toBeLessThanOrEqual(paper!);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test("stands beside the other run's where two are compared", async () => {
    const [a, b] = project.records("turns");
    const { page, errors } = await browser.open(address(`compare-runs?a=${a!.id}&b=${b!.id}`));
    await page.locator(".turn-pair .turn").first().waitFor();
    expect(await page.locator(".turn-pair .turn").count()).toBe(2);
    // Where they part is in sight, and what is equal is folded.
    expect((await page.locator("#turn-A-3").boundingBox())!.y).toBeLessThan(900);
    await page.getByText("Turns 4 to 12 are equal in both").click();
    await page.locator("#turn-AB-12").waitFor();
    // Both in one look: between two, the page may have moved.
    const [left, right] = await page.evaluate(() =>
      ["#turn-A-3", "#turn-B-3"].map((name) =>
        document.querySelector(name)!.getBoundingClientRect().toJSON(),
      ),
    );
    expect(left.y).toBe(right.y);
    expect(left.x).toBeLessThan(right.x);
    await takePicture(page, "trajectories-side-by-side");
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(errors).toEqual([]);
    await page.context().close();
  });
});
