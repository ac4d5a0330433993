import { describe, expect, test } from "vitest";
import { analyseSearch } from "../../../src/analysis/search/analyse-search.ts";
import { pointTable } from "../../../src/analysis/search/point-table.ts";
import { searchWords } from "../../../src/analysis/search/search-words.ts";
import type { RunRecord } from "../../../src/core/run.ts";
import type { Search } from "../../../src/core/space.ts";
import { aResult, aSearch, failure, unit } from "../../support/a-search.ts";

const search = aSearch({ x: unit });

function analyse(records: RunRecord[], of: Search = search) {
  const found = analyseSearch({ axes: [], search: of }, records);
  return {
    ...found,
    words: searchWords(found, { name: "s" }),
    texts: found.warnings.map(({ text }) => text),
  };
}

const at = (x: number, values: number[]) => values.map((f, i) => aResult({ x }, { f }, { seed: i + 1 }));

describe("what a search shows", () => {
  test("is its points by their mean over seeds, best first, with a t interval", () => {
    const { best, chosenFrom } = analyse([
      ...at(0.1, [3, 5, 4]),
      ...at(0.2, [1, 2, 3]),
      ...at(0.3, [9, 9, 9]),
    ]);
    expect(best.map(({ name }) => name)).toEqual(["p2", "p1", "p3"]);
    expect(chosenFrom).toBe(3);
    expect(best[0]).toMatchObject({ values: [2], n: 3, unit: "seed" });
    // 2 ± 4.302653 · 1/√3 (t quantile at 2 degrees of freedom).
    expect(best[0]!.intervals[0]).toMatchObject({
      known: true,
      low: expect.closeTo(2 - 4.302653 / Math.sqrt(3), 5),
    });
    expect(best[2]!.intervals[0]).toMatchObject({ known: false });
  });

  test("says that the winner is optimistic, of how many it was chosen, and what to do", () => {
    const { words } = analyse([...at(0.1, [3]), ...at(0.2, [1])]);
    expect(words.sentence).toBe("The best of 2 points is p2 (x=0.2): f 1, 1 seed.");
    expect(words.caution).toMatch(
      /chosen for its value among 2 points.*optimistic; by how much is unknown.*assay confirm s/,
    );
    expect(words.method).toContain("one seed");
  });

  test("says by how much where seeds tell noise from merit, and names the method", () => {
    const records = Array.from({ length: 12 }, (_, i) =>
      at(i / 12, [i % 5, (i * 7) % 5, (i * 3) % 5]),
    ).flat();
    const { optimism, words } = analyse(records);
    expect(optimism.known && optimism.value).toBeGreaterThan(0);
    expect(words.caution).toMatch(/by about [\d.]+ \(parametric bootstrap/);
  });

  test("maximises where that is the goal", () => {
    const more = aSearch({ x: unit }, { objectives: [{ metric: "f", goal: "maximize" }] });
    expect(analyse([...at(0.1, [3]), ...at(0.2, [1])], more).best[0]!.name).toBe("p1");
  });

  test("averages a seed's cells first, so that they don't count as seeds", () => {
    const records = [1, 2].flatMap((seed) =>
      ["a", "b"].map((model, k) => aResult({ model, x: 0.5 }, { f: seed * 10 + k }, { seed })),
    );
    expect(analyse(records).best[0]).toMatchObject({ n: 2, values: [15.5] });
  });

  test("ranks no point that was ended early, is not done, or misses a constraint", () => {
    const limited = aSearch({ x: unit }, { constraints: ["cost < 1"] });
    const { best, counts, texts } = analyse(
      [
        ...[1, 2].map((seed) => aResult({ x: 0.1 }, { f: 5, cost: 0.5 }, { seed })),
        ...[1, 2].map((seed) => aResult({ x: 0.2 }, { f: 1, cost: 2 }, { seed })),
        ...[1, 2].map((seed) =>
          aResult({ x: 0.3 }, { f: 1, cost: 0.1 }, { seed, outcome: { status: "stopped" } }),
        ),
        aResult({ x: 0.4 }, { f: 1, cost: 0.1 }),
        ...[1, 2].map((seed) => aResult({ x: 0.5 }, {}, { seed, outcome: failure })),
      ],
      limited,
    );
    expect(best.map(({ name }) => name)).toEqual(["p1"]);
    expect(counts).toEqual({ ok: 2, stopped: 1, unfinished: 1, failed: 1, missed: 1 });
    expect(texts.join("\n")).toMatch(
      /1 of 5 points gave no value[\s\S]*ended early[\s\S]*not done[\s\S]*missed the constraints/,
    );
  });

  test("with several objectives is the front that no point beats in everything", () => {
    const both = aSearch(
      { x: unit },
      {
        objectives: [
          { metric: "cost", goal: "minimize" },
          { metric: "score", goal: "maximize" },
        ],
      },
    );
    const values = [
      [1, 1],
      [2, 3],
      [3, 2],
      [4, 4],
      [4, 3],
    ] as const;
    const records = values.map(([cost, score], i) => aResult({ x: i / 10 }, { cost, score }));
    const { best, isFront, words } = analyse(records, both);
    expect(isFront).toBe(true);
    expect(best.map(({ name }) => name)).toEqual(["p1", "p2", "p4"]);
    expect(words.sentence).toContain("3 points of 5 are on the Pareto front of cost, score");
  });

  test("takes a nested, inactive or null parameter for what it is", () => {
    const conditional: Search = {
      ...search,
      space: [
        { name: "opt.lr", path: ["opt", "lr"], distribution: unit },
        {
          name: "depth",
          path: ["depth"],
          distribution: { kind: "categorical", values: [null, 2] },
          when: "x",
        },
      ],
    };
    const { best, ...found } = analyse(
      [aResult({ opt: { lr: 0.5 } }, { f: 1 }), aResult({ opt: { lr: 0.5 }, depth: null }, { f: 2 })],
      conditional,
    );
    expect(best.map(({ params }) => params)).toEqual([{ "opt.lr": 0.5 }, { "opt.lr": 0.5, depth: null }]);
    const { header, rows } = pointTable({ best, ...found }, 5);
    expect(header).toEqual(["rank", "point", "f", "95 % interval", "n", "opt.lr", "depth"]);
    expect(rows.map((row) => row.at(-1))).toEqual(["", "null"]);
  });

  test("of a search that is still improving, or ends at the edge of its space, asks for more", () => {
    const records = Array.from({ length: 30 }, (_, i) => aResult({ x: (i + 1) / 30 }, { f: 30 - i }));
    const { texts } = analyse(records);
    expect(texts.join("\n")).toContain("still improving");
    expect(texts.join("\n")).toContain("p30 has x at the upper end of its range (1)");
    const settled = Array.from({ length: 30 }, (_, i) =>
      aResult({ x: (i + 1) / 60 }, { f: Math.abs(i - 15) }),
    );
    expect(analyse(settled).texts.join("\n")).not.toMatch(/still improving|end of its range/);
  });

  test("is unknown without any good run, with a reason", () => {
    expect(analyse([]).words.sentence).toContain("no run has ended yet");
    const failed = [0.1, 0.2].map((x) => aResult({ x }, {}, { outcome: failure }));
    expect(analyse(failed).words.sentence).toContain("all 2 points failed");
    expect(analyse(failed).texts).toEqual(["All 2 points failed: there is no value of f."]);
    const without = [0.1, 0.2].map((x) => aResult({ x }, { f: null, other: 1 }));
    expect(analyse(without)).toMatchObject({ best: [], counts: { failed: 2 } });
    expect(analyse(without).words.sentence).toContain("none of 2 points has a value of it");
    expect(analyse(without).texts[0]).toMatch(/^2 of 2 points gave no value of f/);
    const missed = aSearch({ x: unit }, { constraints: ["f < 0"] });
    expect(analyse([aResult({ x: 0.1 }, { f: 1 })], missed).words.sentence).toContain(
      "no point keeps the constraints",
    );
  });

  test("of equal points has no best", () => {
    const records = [0.1, 0.2, 0.3].map((x) => aResult({ x }, { f: 7 }));
    expect(analyse(records).texts.join("\n")).toContain("All points have the same f: none is best.");
  });

  test("of one point says that nothing was chosen", () => {
    expect(analyse([aResult({ x: 0.1 }, { f: 1 })]).words.caution).toContain("the only one");
  });
});
