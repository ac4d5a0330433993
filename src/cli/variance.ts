import type { VarianceFindings, VariancePanel } from "../analysis/variance/analyse-variance.ts";
import { LEGACY_SENTENCE } from "../analysis/variance/legacy-cv.ts";
import { type VarianceOptions, varianceStudy } from "../api/variance-study.ts";
import { numberText, percentText, plural } from "../core/number-text.ts";
import { legacyChart, varianceChart } from "../read/charts/variance-chart.ts";
import { checkChartPath, writeChart } from "../read/write-chart.ts";
import { missingLines } from "./missing-lines.ts";
import { printable, styleFor, table } from "./terminal.ts";

interface VarianceCommand extends VarianceOptions {
  legacyCv?: boolean;
  output?: string;
  json?: boolean;
}

export async function variance(words: string[], options: VarianceCommand): Promise<void> {
  if (options.output !== undefined) checkChartPath(options.output);
  const findings = await varianceStudy(words, options);
  if (options.output !== undefined)
    await writeChart(options.legacyCv ? legacyChart(findings) : varianceChart(findings), options.output);
  if (options.json) console.log(JSON.stringify(asJson(findings)));
  else console.log((options.legacyCv ? legacyLines(findings) : lines(findings)).join("\n"));
  if (options.output !== undefined && !options.json) console.log(`\nPlot: ${options.output}`);
}

function lines(findings: VarianceFindings): string[] {
  const { measured, panels, threshold, effect, cautions } = findings;
  const { bold, dim } = styleFor(process.stdout);
  const relative = effect === null ? "the mean" : `an effect of ${numberText(effect)}`;
  const out = [
    `${bold("How many seeds?")} A 95 % interval within ± ${percentText(threshold)} of ${relative}, in nine of ten studies of that size.`,
  ];
  for (const panel of panels) {
    out.push("", bold(printable(panel.what)), table(HEADER, panel.arms.map(rowOf)));
    out.push(...panel.arms.map((arm) => sentence(arm, threshold)));
  }
  out.push(...missingLines(measured), ...cautions.map((text) => dim(`note: ${printable(text)}`)));
  return out;
}

const HEADER = ["arm", "seeds", "mean", "sd", "half-width now", "seeds needed", "80 % range"];

function rowOf({ name, values, precision }: VariancePanel["arms"][number]): (string | number)[] {
  if (!precision.known) return [name, values.length, "", "", "", "unknown", ""];
  const { n, mean, sd, halfWidth, reference, enough, enoughRange } = precision;
  return [
    ...[name, n, numberText(mean), numberText(sd), percentText(halfWidth / reference)],
    ...(enough === null || enoughRange === null
      ? ["over 100,000", ""]
      : [enough, `${enoughRange[0]} to ${enoughRange[1]}`]),
  ];
}

function sentence({ name, precision }: VariancePanel["arms"][number], threshold: number): string {
  if (!precision.known) return `${printable(name)}: unknown, because ${precision.why}.`;
  const { n, enough } = precision;
  const label = printable(name);
  if (enough === null) return `${label}: more than 100,000 seeds; look for a metric that varies less.`;
  if (enough > n)
    return `${label}: ${plural(n, "seed")} are not enough for ± ${percentText(threshold)}; about ${enough} would be (a projection).`;
  return `${label}: ${enough} of the ${n} seeds would have been enough for ± ${percentText(threshold)}.`;
}

function legacyLines({ measured, panels, threshold }: VarianceFindings): string[] {
  const { bold, yellow } = styleFor(process.stdout);
  const out = [
    bold(`Coefficient of variation of the first n runs, first below ${percentText(threshold)} (legacy view)`),
  ];
  for (const { what, arms } of panels) {
    const rows = arms.map(({ name, values, legacy }) =>
      legacy.known
        ? [name, values.length, percentText(legacy.points.at(-1)!.cv), legacy.first ?? "never"]
        : [name, values.length, `unknown, because ${legacy.why}`, ""],
    );
    out.push("", bold(printable(what)), table(["arm", "runs", "cv of all", "first n below"], rows));
  }
  out.push("", yellow(LEGACY_SENTENCE), ...missingLines(measured));
  return out;
}

function asJson({ measured, panels, threshold, effect, cautions }: VarianceFindings) {
  const { study, metric, what, window, missing } = measured;
  return { study, metric, what, window, threshold, effect, panels, missing, cautions };
}
