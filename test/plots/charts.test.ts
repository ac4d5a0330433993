import { describe, expect, test } from "vitest";
import { armsChart } from "../../src/plots/arms-chart.ts";
import { curvesChart } from "../../src/plots/curves-chart.ts";
import { numberText } from "../../src/plots/number-text.ts";
import { pairedChart } from "../../src/plots/paired-chart.ts";
import { precisionChart } from "../../src/plots/precision-chart.ts";
import { profileChart } from "../../src/plots/profile-chart.ts";
import { radialChart } from "../../src/plots/radial-chart.ts";
import { scaleOf } from "../../src/plots/scale.ts";
import { stepsChart } from "../../src/plots/steps-chart.ts";
import { linePath } from "../../src/plots/svg.ts";
import { middleText, shortText, textWidth, wrapText } from "../../src/plots/text-width.ts";

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

describe("charts", () => {
  test("arms: a dot a value, a bar and a ring an arm, a remark where there is no interval", () => {
    const svg = armsChart({
      ...text,
      xLabel: "latency (ms)",
      arms: [
        { name: "a", values, mean: 2.75, interval: { low: 1, high: 4 }, letters: "a" },
        { name: "b", values: [7], mean: 7, interval: null, remark: "no interval: one run" },
      ],
    });
    expectWhole(svg, ["latency (ms)", "no interval: one run"]);
    expect(count(svg, /class="value"/g)).toBe(5);
    expect(count(svg, /class="interval"/g)).toBe(1);
    expect(count(svg, /class="mean"/g)).toBe(2);
  });

  test("curves that went through JSON have a gap where a value was none, not a zero", () => {
    const none = [Number.NaN, Number.NaN, Number.NaN, Number.NaN];
    const arm = { name: "a", steps: [0, 1, 2, 3], low: none, high: none, runs: [] };
    const spec = {
      ...text,
      xLabel: "step",
      yLabel: "reward",
      arms: [{ ...arm, mean: [5, Number.NaN, 6, 7] }],
    };
    const svg = curvesChart(JSON.parse(JSON.stringify(spec)));
    expect(svg).toBe(curvesChart(spec));
    const path = /class="mean" data-series="a" d="([^"]*)"/.exec(svg)![1]!;
    expect(path.match(/[ML]/g)).toEqual(["M", "M", "L"]);
  });

  test("curves: a mean an arm, a thin line a run, and no band where none is known", () => {
    const arm = {
      steps: [0, 1, 2],
      mean: [1, 2, 3],
      runs: [
        [1, 2, 3],
        [1, 2, 4],
      ],
    };
    const svg = curvesChart({
      ...text,
      ...{ xLabel: "step", yLabel: "reward" },
      arms: [
        { name: "a", ...arm, low: [0, 1, 2], high: [2, 3, 4] },
        { name: "b", ...arm, low: [Number.NaN, Number.NaN, 2], high: [Number.NaN, Number.NaN, 4] },
      ],
    });
    expectWhole(svg, ["step", "reward"]);
    expect(count(svg, /class="run"/g)).toBe(4);
    expect(count(svg, /class="mean"/g)).toBe(2);
    expect(count(svg, /class="band"/g)).toBe(1);
  });

  test("steps: a ring a point, a bar where there is an interval, a level between steps", () => {
    const svg = stepsChart({
      ...text,
      ...{ xLabel: "commit", yLabel: "duration (ms)" },
      panels: [
        {
          title: "a",
          points: values.map((mean, i) => ({
            ...{ label: `c${i}`, mean },
            interval: i === 0 ? null : { low: mean - 1, high: mean + 1 },
          })),
          steps: [{ at: 2, label: "+12 % [8, 16]" }],
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

  test("pairs: a line and a difference a pair, the zero line, one interval", () => {
    const svg = pairedChart({
      ...text,
      ...{ yLabel: "cost (USD)", differenceLabel: "difference of cost (USD)", names: ["a", "b"] },
      pairs: values.map((value, i) => ({ name: `seed ${i}`, first: value, second: value + i - 1 })),
      ...{ difference: 0.5, interval: { low: -1, high: 2 } },
    });
    expectWhole(svg, ["cost (USD)", "difference of cost (USD)"]);
    expect(count(svg, /class="pair"/g)).toBe(4);
    expect(count(svg, /class="difference"/g)).toBe(4);
    expect(count(svg, /class="zero"/g)).toBe(1);
  });

  test("profiles: a curve and a band an arm", () => {
    const arm = { thresholds: [0, 1, 2], shares: [1, 0.5, 0], low: [1, 0.2, 0], high: [1, 0.8, 0.1] };
    const arms = ["a", "b", "c"].map((name) => ({ name, ...arm }));
    const svg = profileChart({ ...text, xLabel: "threshold of score", yLabel: "share of runs (%)", arms });
    expectWhole(svg, ["threshold of score", "share of runs (%)", "40 %"]);
    expect(count(svg, /class="profile"/g)).toBe(3);
    expect(count(svg, /class="band"/g)).toBe(3);
  });

  test("precision: two panels, the threshold, the n that is enough, and why there is none", () => {
    const n = [3, 4, 5, 6, 7, 8];
    const widths = n.map((size) => 0.2 / Math.sqrt(size));
    const arm = { name: "a", n, middle: widths, low: widths, high: widths, pilot: 6, enough: 7 };
    const none = { name: "a", n: [], middle: [], low: [], high: [], pilot: 0, enough: null, why: "one run" };
    const panels = [
      { title: "AUC of reward", arms: [arm] },
      { title: "slope of reward", arms: [none] },
    ];
    const labels = { xLabel: "number of seeds", yLabel: "half-width (% of mean)" };
    const svg = precisionChart({ ...text, ...labels, threshold: 0.08, panels });
    expectWhole(svg, [
      "number of seeds",
      "half-width (% of mean)",
      "AUC of reward",
      "slope of reward",
      "n = 7",
    ]);
    expect(svg).toContain("a: unknown, because one run");
    expect(count(svg, /class="threshold"/g)).toBe(2);
    expect(count(svg, /class="projection"/g)).toBe(1);
  });

  test("radial: a spoke a metric, and every number in the table beside", () => {
    const metrics = ["x", "y", "z"].map((name) => ({
      name,
      label: `${name} (ms)`,
      direction: "less is better",
    }));
    const arms = ["a", "b"].map((name) => ({ name, shares: [1, 0.5, 0.2], cells: ["1 ± 1", "2", "3"] }));
    const svg = radialChart({ ...text, metrics, arms });
    expectWhole(svg, ["x (ms)", "less is better"]);
    expect(count(svg, /class="spoke"/g)).toBe(3);
    expect(count(svg, /class="cell"/g)).toBe(6);
  });

  test("names from data can't break out of the picture", () => {
    const name = `<script>alert("x")</script>&\u0007`;
    const svg = armsChart({
      ...text,
      title: name,
      xLabel: name,
      arms: [{ name, values, mean: 2, interval: null }],
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

  test.each([
    [0, "0"],
    [12_345.6, "12,346"],
    [0.123456, "0.1235"],
    [1e-7, "1.00e-7"],
  ])("%s is written %s", (value, expected) => {
    expect(numberText(value)).toBe(expected);
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
