import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { compareStudies } from "../../../src/api/compare-studies.ts";
import {
  askArms,
  askTable,
  calibrated,
  drawsOf,
  familyErrors,
  SCENARIOS,
  simulate,
} from "./simulated-studies.ts";

const STUDIES = 100;
const ALPHA = 0.05;
/** Three and a half standard errors of a rate from so many studies: by chance beyond it once in 4,000. */
const room = (rate: number) => 3.5 * Math.sqrt((rate * (1 - rate)) / STUDIES);

/** Where no method for means reaches its level: docs/statistics.md says so. */
const isHard = (data: string, size: string) =>
  data === "zero-inflated" || (data === "lognormal" && ["n = 5", "20 v 5"].includes(size));

describe("what compare does by itself keeps its word, on simulated studies", () => {
  const names = new Set(SCENARIOS.map((one) => `${one.data}, ${one.layout}`));
  test.each([...names])("%s", async (name) => {
    for (const scenario of SCENARIOS.filter((one) => `${one.data}, ${one.layout}` === name)) {
      const { falsePositives, coverage, power, disagreements } = await simulate(scenario, STUDIES);
      const where = `${name}, ${scenario.size}`;
      expect(disagreements, where).toBe(0);
      expect(falsePositives, where).toBeLessThanOrEqual(ALPHA + room(ALPHA));
      if (!isHard(scenario.data, scenario.size))
        expect(coverage, where).toBeGreaterThanOrEqual(0.94 - room(0.94));
      if (/^(normal|lognormal)$/.test(scenario.data)) expect(power, where).toBeGreaterThan(0.3);
    }
  });

  test("ten like arms, all pairs: any false claim", async () => {
    expect(await familyErrors(STUDIES)).toBeLessThanOrEqual(ALPHA + room(ALPHA));
  });
});

describe("a table that is compared by compareStudies", () => {
  const dir = mkdtempSync(join(tmpdir(), "assay-verdicts-"));
  afterAll(() => rmSync(dir, { recursive: true }));

  test("gets the verdict and the interval that the simulation counts, in studies of every kind", async () => {
    const askFile = askTable(dir, compareStudies);
    for (const scenario of SCENARIOS) {
      const uniform = drawsOf(scenario);
      for (const set of [scenario.draw(uniform, true), scenario.drawUneven?.(uniform)]) {
        if (!set) continue;
        const [[byArms], [byFile]] = [await askArms(set), await askFile(set)];
        const answer = ({ verdict, p, difference, relative, scale, centre }: typeof byArms & object) => ({
          ...{ verdict, p, difference, relative, scale, centre },
        });
        const where = `${scenario.data}, ${scenario.layout}, ${scenario.size}`;
        expect(answer(byFile!), where).toEqual(answer(byArms!));
      }
    }
  });
});

test("another method is a rival where it keeps its word in every row of its family", async () => {
  const row = SCENARIOS.find(({ data, size }) => data === "normal" && size === "5 v 45")!;
  const measured = await simulate(row, 40, { withRivals: true });
  const rivals = (pooled: number) =>
    new Map([
      ["Welch t", { same: 0.06, uneven: 0.05, power: 0.6 }],
      ["pooled t", { same: 0.05, uneven: pooled, power: 0.7 }],
    ]);
  expect(measured.rivals.has("pooled t")).toBe(true);
  expect([...calibrated([{ ...measured, rivals: rivals(0.06) }], 500)]).toEqual(["Welch t", "pooled t"]);
  const family = [rivals(0.06), rivals(0.3)].map((one) => ({ ...measured, rivals: one }));
  expect([...calibrated(family, 500)]).toEqual(["Welch t"]);
});
