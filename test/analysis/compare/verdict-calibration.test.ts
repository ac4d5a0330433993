import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Comparison } from "../../../src/analysis/compare/comparison.ts";
import { compareStudies } from "../../../src/api/compare-studies.ts";
import type { ArmSet } from "../../../src/design/arm-set.ts";
import { aRecord, aStudy, axis } from "../../support/a-study.ts";
import { studyFolder } from "../../support/a-study-folder.ts";
import type { TempFolder } from "../../support/temp-folder.ts";
import {
  askArms,
  askTable,
  calibrated,
  drawsOf,
  familyErrors,
  QUICK,
  SCENARIOS,
  simulate,
} from "./simulated-studies.ts";

const STUDIES = 100;
const ALPHA = 0.05;
/** Three and a half standard errors of a rate from so many studies: by chance beyond it once in 4,000. */
const room = (rate: number) => 3.5 * Math.sqrt((rate * (1 - rate)) / STUDIES);

describe("what compare does by itself keeps its word, on simulated studies", () => {
  const names = new Set(SCENARIOS.map((one) => `${one.data}, ${one.layout}`));
  test.each([...names])("%s", async (name) => {
    for (const scenario of SCENARIOS.filter((one) => `${one.data}, ${one.layout}` === name)) {
      const { falsePositives, power, disagreements, warned, unwarnedCoverage } = await simulate(
        scenario,
        STUDIES,
      );
      const where = `${name}, ${scenario.size}`;
      expect(disagreements, where).toBe(0);
      expect(falsePositives, where).toBeLessThanOrEqual(ALPHA + room(ALPHA));
      // Where no method for means reaches its level, the answer warns that its interval covers less often than it says.
      const unsaid = warned === 1 ? 0 : (1 - warned) * (1 - unwarnedCoverage);
      expect(unsaid, where).toBeLessThanOrEqual(0.06 + room(0.06));
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

describe("a study's folder", () => {
  const byKind = new Map(SCENARIOS.map((one) => [`${one.data}, ${one.layout}`, one]));

  test.each([...byKind])("gets the answer that its table gets: %s", async (_, scenario) => {
    const set = scenario.draw(drawsOf(scenario), true);
    const [byArms] = await askArms(set);
    using folder = folderOf(set);
    const { comparisons } = await compareStudies([folder.path], {
      ...(set.goal ? {} : { baseline: set.arms[0]!.name }),
      ...QUICK,
    });
    // Sums differ in their last digit with the order of their parts.
    const near = (x: number | null) => (x === null ? null : Number(x.toPrecision(9)));
    const answer = ({ verdict, p, difference, scale, centre }: Comparison) => ({
      ...{ verdict, scale, centre, p: near(p) },
      ends: difference.known ? [near(difference.low), near(difference.high)] : null,
    });
    expect(answer(comparisons[0]!)).toEqual(answer(byArms!));
  });
});

/** A simulated study as a launch leaves it: what pairs the arms are seeds, or tasks with a seed for each try. */
function folderOf({ arms, keys, metric, goal }: ArmSet): TempFolder {
  const isTasks = keys[0] === "task";
  const records = arms.flatMap(({ name, observations }, k) => {
    const tries = new Map<string, number>();
    return observations.map(({ unit, value }, i) => {
      const nth = (tries.get(unit ?? "") ?? 0) + 1;
      tries.set(unit ?? "", nth);
      const seed = isTasks ? nth : keys.length > 0 ? Number(unit!.replace(/\D/g, "")) : 1000 * k + i + 1;
      return aRecord({
        id: `${name}__seed${seed}__baseline__${String(1e11 + 1e6 * k + i)}`,
        ...{ params: { arm: name }, seed, task: isTasks ? unit : null, metrics: { [metric]: value! } },
      });
    });
  });
  const study = aStudy({
    axes: [axis("arm", ...arms.map(({ name }) => name))],
    seeds: [...new Set(records.map(({ seed }) => seed))],
    ...(isTasks && { tasks: [...new Set(records.map(({ task }) => task!))] }),
    analysis: { metric, ...(goal && { goal }) },
  });
  return studyFolder(study, records, { metrics: {} });
}

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
