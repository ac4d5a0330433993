// One bar chart with intervals as PNG, 4 policies of 2 workloads. `cold`: one chart; `warm K`: K charts after one.
import { writeFileSync } from "node:fs";
import { drawChart } from "../../src/plots/draw-chart.ts";
import { renderPng } from "../../src/read/built-files.ts";

const MEANS = { "workflows=50": [1450, 1320, 1210, 1080], "workflows=100": [2900, 2590, 2380, 2110] };
const HALVES = { "workflows=50": [60, 55, 48, 40], "workflows=100": [110, 100, 96, 80] };
const [mode, count, output = "ours.png"] = process.argv.slice(2);

async function one(): Promise<void> {
  const series = Object.keys(MEANS) as (keyof typeof MEANS)[];
  const rows = ["fifo_cheapest", "dag_cheapest", "dag_escalation", "full"].map((name, colour) => ({
    name,
    colour,
  }));
  const bars = rows.map((_, row) =>
    series.map((name) => {
      const [value, half] = [MEANS[name][row]!, HALVES[name][row]!];
      return { value, interval: [value - half, value + half] as const, n: 3 };
    }),
  );
  const chart = {
    kind: "bars" as const,
    ...{ title: "makespan by policy", subtitle: "Less is better", xLabel: "makespan p95 (ms)", rows, series },
    ...{ panels: [{ title: "", bars }], isShared: true, notes: ["Whisker: 95 % interval of the mean."] },
  };
  writeFileSync(output, await renderPng(drawChart(chart)));
}

await one();
for (let i = 0; mode === "warm" && i < Number(count); i++) {
  const start = performance.now();
  await one();
  console.log(((performance.now() - start) / 1000).toFixed(5));
}
