import { dirname, extname } from "node:path";
import { UserError } from "../core/errors.ts";
import { makeFolders, replaceFile } from "../host/files.ts";
import type { Chart } from "../plots/chart.ts";
import { drawChart } from "../plots/draw-chart.ts";
import { renderPng } from "./built-files.ts";

/** Complains about a chart's file name before any work is done for it. */
export function checkChartPath(path: string): void {
  const ending = extname(path).toLowerCase();
  if (ending !== ".svg" && ending !== ".png")
    throw new UserError(`--out ${path}`, {
      expected: "a name that ends in .svg or .png",
      got: ending || "no ending",
    });
}

/** Writes a chart as what its name says: SVG or PNG. */
export async function writeChart(chart: Chart, path: string): Promise<void> {
  checkChartPath(path);
  const svg = drawChart(chart);
  const content = extname(path).toLowerCase() === ".png" ? await renderPng(svg) : `${svg}\n`;
  makeFolders(dirname(path));
  replaceFile(path, content);
}
