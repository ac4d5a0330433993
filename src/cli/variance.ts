import type { VarianceFindings, VariancePanel } from "../analysis/variance/analyse-variance.ts";
import { LEGACY_SENTENCE } from "../analysis/variance/legacy-cv.ts";
import type { NoiseRow } from "../analysis/variance/noise.ts";
import { type VarianceOptions, varianceStudy } from "../api/variance-study.ts";
import { UserError } from "../core/errors.ts";
import { countText, numberText, percentText, plural } from "../core/number-text.ts";
import { legacyChart, varianceChart } from "../read/charts/variance-chart.ts";
import { checkChartPath, writeChart } from "../read/write-chart.ts";
import { missingLines } from "./missing-lines.ts";
import { printable, styleFor, table } from "./terminal.ts";

type KnownSplit = Extract<NoiseRow["split"], { known: true }>;

interface VarianceCommand extends VarianceOptions {
  legacyCv?: boolean;
  out?: string;
  json?: boolean;
}

interface PrecisionCommand extends Omit<VarianceCommand, "threshold" | "effect"> {
  precision: number;
  pilot?: string;
  effect?: { value: number; isRelative: boolean };
}

/** `assay power --precision`: the same question of each arm alone. */
export async function precision(
  words: string[],
  { precision: threshold, pilot, effect, ...options }: PrecisionCommand,
): Promise<void> {
  const studies = pilot === undefined ? words : [pilot, ...words];
  if (studies.length === 0)
    throw new UserError("no study was named", { remedy: "assay power STUDY --metric NAME --precision 0.05" });
  if (effect?.isRelative)
    throw new UserError("--effect", {
      expected: "a number in the metric's unit with --precision",
      got: "a share",
    });
  await variance(studies, { ...options, threshold, ...(effect && { effect: effect.value }) });
}

async function variance(words: string[], options: VarianceCommand): Promise<void> {
  if (options.out !== undefined) checkChartPath(options.out);
  const findings = await varianceStudy(words, options);
  if (options.out !== undefined)
    await writeChart(options.legacyCv ? legacyChart(findings) : varianceChart(findings), options.out);
  if (options.json) console.log(JSON.stringify(asJson(findings)));
  else console.log((options.legacyCv ? legacyLines(findings) : lines(findings)).join("\n"));
  if (options.out !== undefined && !options.json) console.log(`\nPlot: ${options.out}`);
}

function lines(findings: VarianceFindings): string[] {
  const { measured, panels, threshold, effect, cautions } = findings;
  const { bold, dim } = styleFor(process.stdout);
  const relative = effect === null ? "the mean" : `an effect of ${numberText(effect)}`;
  const out = [
    `${bold(`How many ${measured.counted}s?`)} A 95 % interval within ± ${percentText(threshold)} of ${relative}, in nine of ten studies of that size.`,
  ];
  for (const panel of panels) {
    out.push("", bold(printable(panel.what)), table(headerOf(measured.counted), panel.arms.map(rowOf)));
    out.push(...panel.arms.map((arm) => sentence(arm, { threshold, noun: measured.counted })));
  }
  out.push(...noiseLines(findings));
  out.push(...missingLines(measured), ...cautions.map((text) => dim(`note: ${printable(text)}`)));
  return out;
}

function headerOf(noun: string): string[] {
  return ["arm", `${noun}s`, "mean", "sd", "half-width now", `${noun}s needed`, "80 % range"];
}

/** What the error of each mean and difference is made of, and what would make it smaller. */
function noiseLines({ noise }: VarianceFindings): string[] {
  const { bold, dim } = styleFor(process.stdout);
  const known = noise.flatMap((row) => (row.split.known ? [{ ...row, split: row.split }] : []));
  const [first] = noise;
  if (known.length === 0) return first ? ["", `Where the noise comes from: ${whyNot(first)}`] : [];
  const header = ["arm", "tasks", "samples", "from tasks", "from samples", "both"];
  const more = ["one sample each", "twice the tasks", "twice the samples"];
  const rows = known.map(({ arms, tasks, samples: [least, most], split }) => [
    ...[arms.join(" − "), countText(tasks), least === most ? countText(most) : `${least} to ${most}`],
    ...[split.errors.data, split.errors.prediction, split.errors.both].map((error) => numberText(error, 3)),
    ...[split.oneSampleEach, split.twiceTheTasks, split.twiceTheSamples].map(({ both }) =>
      numberText(both, 3),
    ),
  ]);
  return [
    "",
    `${bold("Where the noise comes from:")} standard errors of each mean, and of each difference on the tasks that two arms share`,
    table([...header, ...more], rows),
    ...known.filter((_, i) => known.length <= 6 || i === 0).map(adviceOf),
    dim(
      "From tasks: other tasks would have been drawn. From samples: the same tasks would have been answered otherwise. The last columns are both, with other numbers of them.",
    ),
  ];
}

function whyNot({ split }: NoiseRow): string {
  return split.known ? "" : `unknown, because ${split.why}.`;
}

function adviceOf({ arms, split }: { arms: NoiseRow["arms"]; split: KnownSplit }): string {
  const { data, both } = split.errors;
  const share = both === 0 ? 0 : (data / both) ** 2;
  const name = arms.map(printable).join(" − ");
  const least = `; samples alone never get it below ${numberText(data, 3)}`;
  if (share >= 0.5)
    return `${name}: ${percentText(share)} of the variance is which tasks there are, so add tasks${data > 0 ? least : ""}.`;
  return `${name}: ${percentText(1 - share)} of the variance is which samples were drawn, so more samples of the same tasks help${data > 0 ? least : ""}.`;
}

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

function sentence(
  { name, precision }: VariancePanel["arms"][number],
  { threshold, noun }: { threshold: number; noun: string },
): string {
  if (!precision.known) return `${printable(name)}: unknown, because ${precision.why}.`;
  const { n, enough } = precision;
  const label = printable(name);
  if (enough === null) return `${label}: more than 100,000 ${noun}s; look for a metric that varies less.`;
  if (enough > n)
    return `${label}: ${plural(n, noun)} are not enough for ± ${percentText(threshold)}; about ${enough} would be (a projection).`;
  return `${label}: ${enough} of the ${n} ${noun}s would have been enough for ± ${percentText(threshold)}.`;
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

function asJson({ measured, panels, noise, threshold, effect, cautions }: VarianceFindings) {
  const { study, metric, what, window, missing } = measured;
  return { study, metric, what, window, threshold, effect, panels, noise, missing, cautions };
}
