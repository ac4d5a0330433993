import { describe, expect, test } from "vitest";
import { confirmPoints } from "../../../src/analysis/search/confirm-points.ts";
import { confirmWords } from "../../../src/analysis/search/confirm-words.ts";
import type { RunRecord } from "../../../src/core/run.ts";
import { aSearch, failure, unit } from "../../support/a-search.ts";
import { aRecord } from "../../support/a-study.ts";

const search = aSearch({ x: unit });
const noise = [0.3, -0.2, 0.1, -0.4, 0.2, 0, -0.1, 0.4, -0.3, 0];

/** Runs of a point on ten seeds that all points share. */
function runsOf(variant: string, mean: number, own = 0.01): RunRecord[] {
  return noise.map((shift, i) =>
    aRecord({
      ...{ id: `${variant}-${i}`, variant, seed: 100 + i },
      metrics: { f: mean + shift + own * noise[(i * 3 + variant.length) % 10]! },
    }),
  );
}

function confirm(records: RunRecord[], said: Record<string, number>, baseline = Object.keys(said)[0]!) {
  const arms = Object.entries(said).map(([name, value]) => ({ name, variants: [name], searched: [value] }));
  const confirmation = confirmPoints(records, { arms, baseline, search });
  const words = confirmWords(confirmation, { objectives: search.objectives, first: Object.keys(said)[0]! });
  return { ...confirmation, words };
}

describe("a confirmation on fresh seeds", () => {
  test("confirms a point that is better for sure, paired by seed, and says how optimistic the search was", () => {
    const { words, points, compared } = confirm([...runsOf("p1", 2), ...runsOf("p22", 2.1)], {
      p1: 1.5,
      p22: 1.6,
    });
    expect(words[0]).toBe("Confirmed: on fresh seeds p1 is better than p22, for sure.");
    expect(compared!.comparisons[0]!.pairing).toMatchObject({ isPaired: true, n: 10 });
    // Less is better and the fresh mean is 2: the search said 1.5.
    expect(points[0]!.optimism[0]).toMatchObject({ known: true, value: expect.closeTo(0.5, 2) });
    expect(words[1]).toMatch(/the search said f 1.5, 10 fresh seeds say 2\.\d+ .*optimistic by 0\.5/);
  });

  test("does not confirm where another point is better for sure", () => {
    const { words } = confirm([...runsOf("p1", 2.2), ...runsOf("p22", 2)], { p1: 1.5, p22: 1.6 });
    expect(words[0]).toBe("Not confirmed: on fresh seeds p22 is better than p1, for sure.");
  });

  test("says so where points can't be told apart", () => {
    const { words } = confirm([...runsOf("p1", 2, 3), ...runsOf("p22", 2.01, 3)], { p1: 2, p22: 2 });
    expect(words[0]).toMatch(/can't be told apart/);
    expect(words[1]).toContain("whether the search was optimistic can't be told");
  });

  test("of a program that seeds make no difference to compares the values themselves", () => {
    const same = (variant: string, f: number) =>
      runsOf(variant, 0).map((run) => ({ ...run, metrics: { f } }));
    const { words } = confirm([...same("p1", 1), ...same("p2", 2)], { p1: 1, p2: 2 });
    expect(words[0]).toBe(
      "Confirmed: p1 has the best value; seeds make no difference to any of these points.",
    );
    expect(words[1]).toContain("the same, since seeds make no difference");
  });

  test("leaves out a seed with a failed run, and tells of a point without any value", () => {
    const broken = runsOf("p1", 2).map((run) => ({ ...run, outcome: failure, metrics: {} }));
    const { words, points } = confirm([...broken, ...runsOf("p22", 2)], { p1: 1, p22: 2 });
    expect(points[0]).toMatchObject({ n: 0, failed: 10, fresh: [null] });
    expect(words[0]).toBe("Not confirmed: p1 gave no value on fresh seeds.");
  });

  test("of one point alone compares nothing", () => {
    const { compared, words } = confirm(runsOf("p1", 2), { p1: 2 });
    expect(compared).toBeNull();
    expect(words[0]).toBe("p1 was measured again on 10 fresh seeds.");
  });
});
