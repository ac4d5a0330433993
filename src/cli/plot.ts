import { chartStudy, type PlotOptions } from "../api/plot-study.ts";
import { UserError } from "../core/errors.ts";
import { checkChartPath, writeChart } from "../read/write-chart.ts";

interface PlotCommand extends Omit<PlotOptions, "metrics"> {
  metric?: string[];
  output?: string;
  json?: boolean;
}

export async function plot(
  words: string[],
  { metric, output, json, ...options }: PlotCommand,
): Promise<void> {
  if (output === undefined)
    throw new UserError("no file was named", { remedy: "Add --output chart.svg or --output chart.png." });
  checkChartPath(output);
  const chart = await chartStudy(words, metric ? { ...options, metrics: metric } : options);
  await writeChart(chart, output);
  console.log(json ? JSON.stringify({ file: output, kind: options.kind }) : `Plot: ${output}`);
}
