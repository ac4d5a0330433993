import { describe, expect, test } from "vitest";
import type { Arm, Chart, Curve, PairedChart, ScatterChart } from "../../src/plots/chart.ts";
import { drawChart } from "../../src/plots/draw-chart.ts";
import { type Call, flameOf } from "../../src/plots/flame-chart.ts";
import { scaleOf } from "../../src/plots/scale.ts";
import { linePath } from "../../src/plots/svg.ts";
import { middleText, shortText, textWidth, wrapText } from "../../src/plots/text-width.ts";
import { lookOf, VERDICTS } from "../../src/plots/theme.ts";

const text = { title: "What it shows", subtitle: "of which runs", notes: ["Bar: 95 % t interval."] };

function count(svg: string, pattern: RegExp): number {
  return [...svg.matchAll(pattern)].length;
}

/** What every chart must have, whatever it shows. */
function expectWhole(svg: string, labels: string[]): void {
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 \d+ \d+"/);
  for (const part of ["<title>What it shows</title>", ...labels, "Bar: 95 % t interval."])
    expect(svg).toContain(part);
  expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  expect(count(svg, /<[a-z]/g)).toBe(count(svg, /<\/[a-z]+>|\/>/g));
}

const values = [3, 1, 2, 5];

const curve = (name: string, colour: number, x: number[], rest: Partial<Curve> = {}): Curve => ({
  ...{ name, colour, x, y: x.map((at) => 10 + at), ...rest },
});
const axes = { xLabel: "rate (1/s)", yLabel: "latency (ms)" };
const curves = (list: Curve[], rest = {}): Chart => ({
  ...{ kind: "curves", ...text, ...axes, panels: [{ title: "", curves: list }], ...rest },
});

/** The numbers of a line's path, point by point. */
function pointsOf(svg: string, name: string): [number, number][] {
  const path = new RegExp(`class="mean"[^>]* data-series="${name}" d="([^"]*)"`).exec(svg)![1]!;
  return [...path.matchAll(/[ML](-?[\d.]+),(-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
}

describe("charts", () => {
  test("arms: a dot for each value, a bar and a ring for each arm, a remark where there is no interval", () => {
    const svg = drawChart({
      ...{ kind: "arms", ...text, xLabel: "latency (ms)", isShared: true },
      rows: [
        { name: "a", colour: 0, letters: "a" },
        { name: "b", colour: 1 },
        { name: "c", colour: 2 },
      ],
      panels: [
        {
          title: "",
          cells: [
            { values, n: 4, mean: 2.75, interval: [1, 4] },
            { values: [7], n: 1, mean: 7, interval: null, remark: "no interval: one run" },
            null,
          ],
        },
      ],
    });
    expectWhole(svg, ["latency (ms)", "no interval: one run", "n = 4", "no value"]);
    // The ring is at the right end, so the remark begins at the left one.
    expect(svg).toMatch(/<text[^>]*text-anchor="start"[^>]*>no interval: one run/);
    expect(count(svg, /class="value"/g)).toBe(5);
    expect(count(svg, /class="interval"/g)).toBe(1);
    expect(count(svg, /class="mean"/g)).toBe(2);
    expect(svg).toContain('data-tip="a\nmean 2.75 [1, 4], n = 4"');
  });

  test("bars: from zero, with a whisker where there is an interval, in shades of the arm's colour", () => {
    const svg = drawChart({
      ...{ kind: "bars", ...text, xLabel: "latency (ms)", isShared: true, series: ["p50", "p95"] },
      rows: [{ name: "a", colour: 3 }],
      panels: [
        {
          title: "",
          bars: [
            [
              { value: 2, interval: [1, 3], n: 4 },
              { value: 5, interval: null, n: 4 },
            ],
          ],
        },
      ],
    });
    expectWhole(svg, ["p50", "p95"]);
    expect(count(svg, /class="interval"/g)).toBe(1);
    expect(count(svg, new RegExp(`<rect [^>]*fill="${lookOf(3).colour}"`, "g"))).toBe(2);
  });

  test("curves that went through JSON have a gap where a value was none, not a zero", () => {
    const chart = curves([curve("a", 0, [0, 1, 2, 3], { y: [5, Number.NaN, 6, 7] })]);
    const svg = drawChart(chart);
    expect(drawChart(JSON.parse(JSON.stringify(chart)))).toBe(svg);
    const path = /class="mean"[^>]* d="([^"]*)"/.exec(svg)![1]!;
    expect(path.match(/[ML]/g)).toEqual(["M", "M", "L"]);
  });

  test("curves: a line for each arm, a thin one for each run, and no band where none is known", () => {
    const rest = {
      y: [1, 2, 3],
      runs: [
        [1, 2, 3],
        [1, 2, 4],
      ],
    };
    const none = [Number.NaN, Number.NaN, 2];
    const svg = drawChart(
      curves([
        curve("a", 0, [0, 1, 2], { ...rest, low: [0, 1, 2], high: [2, 3, 4] }),
        curve("b", 1, [0, 1, 2], { ...rest, low: none, high: none.map((low) => low + 2) }),
      ]),
    );
    expectWhole(svg, ["rate (1/s)", "latency (ms)"]);
    expect(count(svg, /class="run"/g)).toBe(4);
    expect(count(svg, /class="mean"/g)).toBe(2);
    expect(count(svg, /class="band"/g)).toBe(1);
    // One interval alone is a bar.
    expect(count(svg, /class="interval"/g)).toBe(1);
  });

  test("curves end where their own runs end, on an axis that reaches as far as the longest", () => {
    const [long, brief] = [
      [0, 1, 2, 3, 4],
      [0, 1, 2],
    ];
    const svg = drawChart(
      curves([
        curve("long", 0, long),
        curve("brief", 1, brief, { low: brief, high: brief.map((x) => x + 20) }),
      ]),
    );
    const [far, near] = [pointsOf(svg, "long").at(-1)!, pointsOf(svg, "brief").at(-1)!];
    expect(pointsOf(svg, "long")).toHaveLength(5);
    expect(pointsOf(svg, "brief")).toHaveLength(3);
    expect(near[0]).toBeCloseTo((pointsOf(svg, "long")[0]![0] + far[0]) / 2, 1);
    expect(count(svg, /class="band"/g)).toBe(1);
  });

  test("curves over a setting: a dot for each value, a tick for each setting, equal ratios equally far apart", () => {
    const svg = drawChart(
      curves([curve("a", 0, [1, 10, 100], { low: [5, 6, 7], high: [20, 30, 200] })], {
        ...{ hasDots: true, xScale: "log", yScale: "log" },
      }),
    );
    expectWhole(svg, [">1</text>", ">10</text>", ">100</text>"]);
    expect(count(svg, /<circle [^>]*class="value"/g)).toBe(3);
    expect(svg).toContain('data-tip="a\nrate (1/s) 100\nlatency (ms): 110 [7, 200]"');
    const [first, second, third] = pointsOf(svg, "a").map(([x]) => x) as [number, number, number];
    expect(second - first).toBeCloseTo(third - second, 1);
  });

  test("a logarithmic axis leaves out what has no place on it", () => {
    const svg = drawChart(curves([curve("a", 0, [0, 1, 10])], { hasDots: true, xScale: "log" }));
    expectWhole(svg, []);
    expect(count(svg, /<circle [^>]*class="value"/g)).toBe(2);
  });

  test("curves as stairs hold a value until the next x", () => {
    const arm = { y: [1, 0.5, 0], low: [1, 0.2, 0], high: [1, 0.8, 0.1] };
    const list = ["a", "b", "c"].map((name, i) => curve(name, i, [0, 1, 2], arm));
    const svg = drawChart(curves(list, { shape: "stairs", isPercent: true, yLabel: "share of runs (%)" }));
    expectWhole(svg, ["share of runs (%)", "40 %"]);
    expect(count(svg, /class="band"/g)).toBe(3);
    const points = pointsOf(svg, "a");
    expect(points).toHaveLength(5);
    expect([points[1]![1], points[1]![0]]).toEqual([points[0]![1], points[2]![0]]);
  });

  test("steps: a ring for each point, a bar where there is an interval, a level between steps", () => {
    const svg = drawChart({
      ...{ kind: "steps", ...text, xLabel: "commit", yLabel: "duration (ms)" },
      panels: [
        {
          title: "a",
          points: values.map((mean, i) => ({
            ...{ label: `c${i}`, mean },
            interval: i === 0 ? null : ([mean - 1, mean + 1] as const),
          })),
          steps: [{ at: 2, label: "+12 % [8, 16]", verdict: "worse" }],
          levels: [2, 3.5],
        },
      ],
    });
    expectWhole(svg, ["commit", "duration (ms)", "+12 % [8, 16]", ">c0<", ">c3<"]);
    expect(count(svg, /class="point"/g)).toBe(4);
    expect(count(svg, /class="interval"/g)).toBe(3);
    expect(count(svg, /class="level"/g)).toBe(2);
    expect(count(svg, /class="step"/g)).toBe(1);
  });

  const paired: PairedChart = {
    ...{ kind: "paired", ...text, goal: "minimize", names: ["a", "b"] },
    ...{ yLabel: "cost (USD)", differenceLabel: "difference of cost (USD)" },
    pairs: values.map((value, i) => ({ name: `seed ${i}`, first: value, second: value + i - 1 })),
    ...{ difference: 0.5, interval: [-1, 2] },
  };

  test("pairs: a line and a difference for each pair, the zero line, one interval", () => {
    const svg = drawChart(paired);
    expectWhole(svg, ["cost (USD)", "difference of cost (USD)"]);
    expect(count(svg, /class="pair"/g)).toBe(4);
    expect(count(svg, /class="difference"/g)).toBe(4);
    expect(count(svg, /class="zero"/g)).toBe(1);
    expect(svg).toContain('data-tip="seed 3\na: 5\nb: 7\ndifference 2"');
  });

  // Differences −1, 0, 1, 2: one cheaper, two dearer, one neither.
  test("pairs are green where they are better and orange where they are worse, whichever way that is", () => {
    const fills = (chart: PairedChart, verdict: keyof typeof VERDICTS) =>
      count(drawChart(chart), new RegExp(`class="difference"[^>]*fill="${VERDICTS[verdict]}"`, "g"));
    expect([fills(paired, "better"), fills(paired, "worse"), fills(paired, "none")]).toEqual([1, 2, 1]);
    const more: PairedChart = { ...paired, goal: "maximize" };
    expect([fills(more, "better"), fills(more, "worse")]).toEqual([2, 1]);
    expect(fills({ ...paired, goal: null }, "none")).toBe(4);
  });

  test("precision: two panels, the threshold, the n that is enough, and why there is none", () => {
    const n = [3, 4, 5, 6, 7, 8];
    const widths = n.map((size) => 0.2 / Math.sqrt(size));
    const own = { name: "a", colour: 0 };
    const arm = { ...own, n, middle: widths, low: widths, high: widths, pilot: 6, enough: 7 };
    const none = { ...own, n: [], middle: [], low: [], high: [], pilot: 0, enough: null, why: "one run" };
    const panels = [
      { title: "AUC of reward", arms: [arm] },
      { title: "slope of reward", arms: [none] },
    ];
    const labels = { xLabel: "number of seeds", yLabel: "half-width (% of mean)" };
    const svg = drawChart({ kind: "precision", ...text, ...labels, threshold: 0.08, panels });
    expectWhole(svg, [...Object.values(labels), "AUC of reward", "slope of reward", "n = 7"]);
    expect(svg).toContain("a: unknown, because one run");
    expect(count(svg, /class="threshold"/g)).toBe(2);
    expect(count(svg, /class="projection"/g)).toBe(1);
  });

  test("radial: a spoke for each metric, and every number in the table beside", () => {
    const metrics = ["x", "y", "z"].map((name) => ({
      name,
      label: `${name} (ms)`,
      direction: "less is better",
    }));
    const arms = ["a", "b"].map((name, colour) => ({
      ...{ name, colour, shares: [1, 0.5, 0.2], cells: ["1 ± 1", "2", "3"] },
    }));
    const svg = drawChart({ kind: "radial", ...text, metrics, arms });
    expectWhole(svg, ["x (ms)", "less is better"]);
    expect(count(svg, /class="spoke"/g)).toBe(3);
    expect(count(svg, /class="cell"/g)).toBe(6);
  });

  const crowd = (near: number): ScatterChart => ({
    ...{ kind: "scatter", ...text, xLabel: "cost (USD)", yLabel: "score (no unit)" },
    panels: [
      {
        ...{ title: "", front: [0] },
        points: Array.from({ length: 12 }, (_, i) => ({
          ...{
            name: `policy number ${i}`,
            colour: i,
            x: 5 + (i % 4) * near,
            y: 1 + Math.floor(i / 4) * near,
          },
          ...{ xInterval: [4.9, 5.5] as const, yInterval: null },
        })),
      },
    ],
  });

  test.each([1, 0.05, 0.001])("names of points %d apart don't cover each other", (near) => {
    const chart = crowd(near);
    // A point far away, so that the others are close.
    chart.panels[0]!.points[11] = { ...chart.panels[0]!.points[11]!, x: 9, y: 6 };
    const svg = drawChart(chart);
    const names = [...svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)"[^>]*class="name"[^>]*>([^<]+)</g)].map(
      ([, x, y, name]) => ({ x: Number(x), y: Number(y) - 4, half: textWidth(name!, 11) / 2 }),
    );
    expect(names).toHaveLength(12);
    for (const [i, a] of names.entries())
      for (const b of names.slice(0, i))
        expect(Math.abs(a.x - b.x) >= a.half + b.half - 0.1 || Math.abs(a.y - b.y) >= 12.9).toBe(true);
  });

  test("quantiles: a dot for each value, the line of a normal distribution and the band around it", () => {
    const points = values.toSorted().map((y, i) => ({ name: `seed ${i}`, x: i - 1.5, y }));
    const band = points.map(({ x, y }) => ({ x, low: y - 1, high: y + 1 }));
    const line = { slope: 1, intercept: 2.75 };
    const svg = drawChart({
      ...{ kind: "quantiles", ...text, ...axes },
      panels: [{ title: "a", colour: 0, points, line, band }],
    });
    expectWhole(svg, [axes.xLabel, axes.yLabel, "seed 0: 1"]);
    expect([
      count(svg, /class="value"/g),
      count(svg, /class="normal"/g),
      count(svg, /class="band"/g),
    ]).toEqual([4, 1, 1]);
  });

  test("a distribution: its bins as one shape, the estimate and its interval, the place of no difference", () => {
    const bins = [1, 2, 1].map((share, i) => ({ from: i, to: i + 1, share: share / 4 }));
    const panel = { title: "b − a", colour: 1, bins, estimate: 1.5 };
    const chart = (part: object): Chart => ({
      ...{ kind: "distribution", ...text, ...axes },
      panels: [{ ...panel, interval: [0.2, 2.8] as const, reference: 0, ...part }],
    });
    const svg = drawChart(chart({}));
    expectWhole(svg, [axes.xLabel, "1.5 [0.2, 2.8]", "50 %"]);
    expect(count(svg, /class="bins"/g)).toBe(1);
    expect(drawChart(chart({ interval: null, reference: null }))).not.toContain("[0.2, 2.8]");
  });

  test("boxes and sequences: every iteration a dot, and one that is far out has its name", () => {
    const near = Array.from({ length: 20 }, (_, i) => 2 + 0.01 * (i % 5));
    const boxes = drawChart({
      ...{ kind: "boxes", ...text, xLabel: "duration (ms)" },
      rows: [{ name: "old", colour: 0, values: [...near, 3] }],
    });
    expectWhole(boxes, ["duration (ms)", "n = 21", "median 2.02, middle half 2.01 to 2.03"]);
    expect(count(boxes, /class="value"/g)).toBe(21);
    const starts = [
      { name: "seed 1", values: near },
      { name: "seed 2", values: [...near.slice(0, 6), 3, ...near.slice(7)] },
    ];
    const sequence = drawChart({
      ...{ kind: "sequence", ...text, xLabel: "iteration", yLabel: "duration (ms)" },
      panels: [{ title: "old", colour: 0, starts }],
    });
    expectWhole(sequence, ["seed 2 #7", "seed 2, iteration 7: 3"]);
    expect([count(sequence, /class="value"/g), count(sequence, /class="outlier"/g)]).toEqual([40, 1]);
  });

  test("a flame graph: a call below its caller as wide as its time, and beside another run how much that changed", () => {
    const call = (name: string, own: number, calls: Call[] = []): Call => ({ name, where: "", own, calls });
    const before = call("body", 10, [call("parse", 30), call("gone", 5)]);
    const after = call("body", 10, [call("parse", 60, [call("split", 20)])]);
    const alone = drawChart(flameOf("What it shows", before, null));
    expect(alone).toContain("parse\n30 ms, 66.7 %");
    expect(count(alone, /class="call"/g)).toBe(3);
    const beside = drawChart(flameOf("What it shows", after, before));
    expect(beside).toContain("parse\n80 ms, 88.9 %\n+50 ms; before 30");
    expect(beside).toContain("Only before: gone (5 ms).");
    expect(beside).toContain(VERDICTS.worse);
  });

  test("an arm has the colour of its slot, in whichever place it stands", () => {
    const rows: Arm[] = [
      { name: "b", colour: 4 },
      { name: "a", colour: 2 },
    ];
    const cell = { values, n: 4, mean: 2.75, interval: [1, 4] as const };
    const x = [0, 1];
    const charts: Chart[] = [
      {
        ...{ kind: "arms", ...text, xLabel: "x", isShared: true, rows },
        panels: [{ title: "", cells: [cell, cell] }],
      },
      curves(rows.map(({ name, colour }) => curve(name, colour, x))),
      {
        ...{ kind: "radial", ...text, metrics: [] },
        arms: rows.map((row) => ({ ...row, shares: [], cells: [] })),
      },
      {
        ...crowd(1),
        panels: [
          {
            ...crowd(1).panels[0]!,
            points: crowd(1)
              .panels[0]!.points.slice(0, 2)
              .map((point, i) => ({ ...point, ...rows[i]! })),
          },
        ],
      },
    ];
    for (const chart of charts) {
      const svg = drawChart(chart);
      for (const { name, colour } of rows) {
        const own = new RegExp(`data-series="${name}".*?(?:fill|stroke)="(#[0-9a-f]{6})"`).exec(svg)![1];
        expect(own).toBe(lookOf(colour).colour);
      }
      expect(svg).not.toContain(lookOf(0).colour);
    }
  });

  test("no arm is drawn in a colour that means better or worse", () => {
    const arms = Array.from({ length: 28 }, (_, slot) => lookOf(slot));
    expect(new Set(arms.map(({ colour, dash }) => `${colour} ${dash}`)).size).toBe(28);
    for (const { colour } of arms) expect(Object.values(VERDICTS)).not.toContain(colour);
  });

  test("a note sets a command as code, also over the end of a line, and one backtick is a letter", () => {
    const long = `${"word ".repeat(19)}as \`assay compare STUDY --by task\` has it`;
    const notes = ["See `a<b` here.", long, "A ` alone."];
    const svg = drawChart({ ...curves([curve("a", 0, [1, 2])]), notes });
    expect(/<desc>(.*?)<\/desc>/s.exec(svg)![1]).toContain("See a&lt;b here.");
    const drawn = [...svg.matchAll(/class="note"[^>]*>(.*?)<\/text>/g)].map(([, line]) => line!);
    const inCode = drawn.map((line) =>
      [...line.matchAll(/<tspan[^>]*>(.*?)<\/tspan>/g)].map(([, code]) => code),
    );
    expect(drawn[0]).toMatch(/^See <tspan font-family="[^"]*Mono[^"]*">a&lt;b<\/tspan> here\.$/);
    expect(drawn.length).toBeGreaterThan(3);
    expect(inCode.slice(1, -1).flat().join(" ")).toBe("assay compare STUDY --by task");
    expect(drawn.slice(0, -1).join("")).not.toContain("`");
    expect(drawn.at(-1)).toBe("A ` alone.");
  });

  test("names from data can't break out of the picture", () => {
    const name = `<script>alert("x")</script>&\u0007`;
    const svg = drawChart({
      ...{ kind: "arms", ...text, title: name, xLabel: name, isShared: true },
      rows: [{ name, colour: 0 }],
      panels: [{ title: name, cells: [{ values, n: 4, mean: 2, interval: null }] }],
    });
    expect(svg).not.toContain("<script");
    expect(svg).not.toContain("\u0007");
    expect(svg).toContain("&lt;script&gt;");
  });
});

describe("scales", () => {
  test("ticks are round and inside the domain", () => {
    expect(scaleOf([0.13, 0.87], [0, 100]).ticks).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(scaleOf([2, 700], [0, 100], { kind: "log" }).ticks).toEqual([2, 5, 10, 20, 50, 100, 200, 500]);
  });

  test("a domain of one value is opened around it", () => {
    const scale = scaleOf([5, 5], [0, 100]);
    expect(scale(5)).toBeGreaterThan(0);
    expect(scale(5)).toBeLessThan(100);
  });
});

describe("text", () => {
  test("long lines wrap and long names are cut", () => {
    const lines = wrapText("a few words that need more than one line", 100, 12);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.join(" ")).toBe("a few words that need more than one line");
    expect(textWidth(shortText("x".repeat(100), 80, 12), 12)).toBeLessThanOrEqual(80);
  });

  test("a gap in a line stays a gap", () => {
    expect(
      linePath([
        [0, 0],
        [1, Number.NaN],
        [2, 2],
        [3, 3],
      ]),
    ).toBe("M0,0M2,2L3,3");
  });
});

describe("names that are too long", () => {
  test("lose their middle, where names of one kind are most alike", () => {
    const cut = middleText("model-with-a-long-name-and-version-1", 120, 12);
    expect(cut).toMatch(/^model-.*….*-1$/);
    expect(textWidth(cut, 12)).toBeLessThanOrEqual(120);
    expect(middleText("short", 120, 12)).toBe("short");
  });
});
