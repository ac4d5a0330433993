import { chartStudy, type PlotOptions } from "../api/plot-study.ts";
import { UserError } from "../core/errors.ts";
import { checkChartPath, writeChart } from "../read/write-chart.ts";

interface PlotCommand extends Omit<PlotOptions, "metrics" | "kind"> {
  chart: PlotOptions["kind"];
  metric?: string[];
  out?: string;
  json?: boolean;
}

/** One chart alone, of a study or of runs. */
export async function plot(
  words: string[],
  { chart: kind, metric, out, json, ...others }: PlotCommand,
): Promise<void> {
  if (words.length === 0)
    throw new UserError("no study was named", {
      remedy: `assay report STUDY --chart ${kind} --out chart.svg`,
    });
  if (out === undefined)
    throw new UserError("no file was named", { remedy: "Add --out chart.svg or --out chart.png." });
  checkChartPath(out);
  const options: PlotOptions = { ...others, kind };
  const chart = await chartStudy(words, metric ? { ...options, metrics: metric } : options);
  await writeChart(chart, out);
  console.log(json ? JSON.stringify({ file: out, kind }) : `Plot: ${out}`);
}
