import { writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Adjustment, Comparison, Gate, MethodName } from "../analysis/compare/comparison.ts";
import { type GateAnswer, gateOf } from "../analysis/compare/gate.ts";
import type { RunSummary } from "../analysis/compare/summarise-run.ts";
import type { ArmEstimate } from "../analysis/estimate-arm.ts";
import { compareStudies } from "../api/compare-studies.ts";
import { readPairs } from "../archive/read-pairs.ts";
import { UserError } from "../core/errors.ts";
import { csvCell, shellWord } from "../core/escape.ts";
import type { Scale } from "../design/arm-set.ts";
import { makeFolders } from "../host/files.ts";
import type { ComparedStudies } from "../read/compare/compare-runs.ts";
import type { CompareRequest } from "../read/compare/request.ts";
import type { Side } from "../stats/options.ts";
import { compareText } from "./compare-text.ts";
import { metricAndGoal } from "./read-option.ts";
import { printable, prose, styleFor, table } from "./terminal.ts";

interface CompareFlags {
  metric?: string[];
  goal?: "minimize" | "maximize";
  by?: string[];
  per?: string;
  baseline?: string;
  pair?: string[];
  task?: string;
  matrix?: boolean;
  where?: string;
  unpaired?: boolean;
  pairs?: string[];
  controlRunIds?: string[];
  candidateRunIds?: string[];
  summary?: RunSummary["summary"];
  stepMin?: number;
  stepMax?: number;
  share?: number;
  windowEnd?: "first" | "last";
  lastN?: number;
  side: Side;
  alpha: number;
  method: MethodName | "auto";
  adjust: Adjustment;
  effects?: boolean;
  covariate?: string;
  scale?: Scale | "auto";
  samples?: string;
  resamples: number;
  seed?: string;
  margin?: string;
  failOn?: Gate[];
  allowUnjudged?: boolean;
  csv?: string;
  html?: string;
  json?: boolean;
  format?: "text" | "md" | "json";
  outRoot?: string;
}

export async function compare(names: string[], flags: CompareFlags): Promise<void> {
  const request = requestOf(flags);
  const isListed = flags.pairs !== undefined || flags.controlRunIds !== undefined;
  const withValues = flags.html !== undefined || (flags.csv !== undefined && isListed);
  const compared = await compareStudies(names, { ...request, withValues });
  const gate =
    flags.failOn &&
    gateOf(compared, {
      ...request,
      on: flags.failOn,
      allowUnjudged: flags.allowUnjudged === true,
    });
  if (flags.csv !== undefined) {
    makeFolders(dirname(flags.csv));
    writeFileSync(
      flags.csv,
      isListed ? pairsCsv(compared.comparisons) : comparisonsCsv(compared.comparisons),
    );
  }
  if (flags.html !== undefined) {
    const { writeComparison } = await import("../read/compare-report.ts");
    await writeComparison(flags.html, compared, {
      ...compareText(compared),
      title: `Comparison of ${names.join(" and ") || "runs"}`,
      command: ["assay", ...process.argv.slice(2).map(shellWord)].join(" "),
    });
  }
  if (flags.json || flags.format === "json")
    console.log(JSON.stringify({ ...withoutValues(compared), ...(gate && { gate }) }));
  else if (flags.format === "md") console.log(markdown(compared));
  else print(compared);
  if (gate) close(gate);
}

function requestOf(flags: CompareFlags): CompareRequest {
  const { metric, goal, by, per, baseline, pair, task, samples, matrix, where, unpaired, outRoot } = flags;
  const { metrics, goals } = metricsOf(metric);
  const given = {
    ...{ metrics, goals, goal, by, per, baseline, pair, task },
    ...{ samples, matrix, where, unpaired, outRoot },
  };
  const request: CompareRequest = {
    ...(Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    ) as CompareRequest),
    side: flags.side,
    alpha: flags.alpha,
    method: flags.method,
    adjust: flags.adjust,
    withEffects: flags.effects === true,
    resamples: flags.resamples,
  };
  if (flags.covariate !== undefined) request.covariateFrom = flags.covariate;
  if (flags.scale !== undefined && flags.scale !== "auto") request.scale = flags.scale;
  if (flags.margin !== undefined) request.margin = marginOf(flags.margin);
  if (flags.seed !== undefined) {
    if (/^\d+$/.test(flags.seed)) request.seed = Number(flags.seed);
    else request.seedColumn = flags.seed;
  }
  if (flags.pairs || flags.controlRunIds || flags.candidateRunIds) {
    const listed = readPairs(flags.pairs ?? []);
    listed.control.push(...(flags.controlRunIds ?? []));
    listed.candidate.push(...(flags.candidateRunIds ?? []));
    request.listed = listed;
  }
  const summary = summaryOf(flags);
  return summary ? { ...request, summary } : request;
}

function metricsOf(words: string[] | undefined): Pick<CompareRequest, "metrics" | "goals"> {
  if (!words) return {};
  const goals: NonNullable<CompareRequest["goals"]> = {};
  const metrics = words.map((word) => {
    const { metric, goal } = metricAndGoal(word);
    if (goal) goals[metric] = goal;
    return metric;
  });
  return { metrics, goals };
}

function summaryOf({ summary, stepMin, stepMax, share, windowEnd, lastN }: CompareFlags) {
  if (summary === undefined) return undefined;
  return {
    summary,
    ...(stepMin !== undefined ? { from: stepMin } : {}),
    ...(stepMax !== undefined ? { to: stepMax } : {}),
    ...(share !== undefined ? { share } : {}),
    ...(windowEnd !== undefined ? { end: windowEnd } : {}),
    ...(lastN !== undefined ? { lastN } : {}),
  };
}

function marginOf(text: string): NonNullable<CompareRequest["margin"]> {
  const match = /^\s*(\d*\.?\d+(?:e[-+]?\d+)?)\s*(%?)\s*$/i.exec(text);
  if (!match)
    throw new UserError("--margin", {
      expected: "a number such as 5 in the metric's unit, or 5%",
      got: JSON.stringify(text),
    });
  return match[2] === "%"
    ? { value: Number(match[1]) / 100, isShare: true }
    : { value: Number(match[1]), isShare: false };
}

function print(compared: ComparedStudies): void {
  const style = styleFor(process.stdout);
  const { sentences, header, rows, notes } = compareText(compared);
  for (const sentence of sentences) console.log(style.bold(prose(printable(sentence))));
  if (rows.length > 0) console.log(`\n${table(header, rows)}`);
  for (const { title, lines } of notes) {
    const paint = title === "Warnings" ? style.yellow : style.cyan;
    console.log(`\n${paint(title)}`);
    for (const line of lines) console.log(prose(`  ${printable(line)}`));
  }
}

function markdown(compared: ComparedStudies): string {
  const { sentences, header, rows, notes } = compareText(compared);
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [
    ...sentences.map((sentence) => `**${sentence}**\n`),
    [line(header), line(header.map(() => "---")), ...rows.map(line)].join("\n"),
    ...notes.map(({ title, lines }) => `\n${title}:\n\n${lines.map((text) => `- ${text}`).join("\n")}`),
  ].join("\n");
}

/** Values of a million rows are of no use here. */
function withoutValues({ comparisons, ...rest }: ComparedStudies) {
  const bare = ({ units, values: _, ...arm }: ArmEstimate) => ({ ...arm, n: units.length });
  return {
    ...rest,
    comparisons: comparisons.map(({ values: _, baseline, candidate, ...one }) => ({
      ...one,
      baseline: bare(baseline),
      candidate: bare(candidate),
    })),
  };
}

/** Says why on stderr, one line each, and ends with 1 where anything tripped. */
function close({ trips }: GateAnswer): void {
  for (const { on, why } of trips) process.stderr.write(`${on}: ${printable(why)}\n`);
  if (trips.length > 0) process.exitCode = 1;
}

/** One row per comparison. */
function comparisonsCsv(comparisons: readonly Comparison[]): string {
  const header =
    "metric,part,baseline,candidate,paired,n,baseline_mean,candidate_mean,effect,ci_low,ci_high,relative,relative_ci_low,relative_ci_high,p,adjusted_p,method,verdict,needed_n";
  const rows = comparisons.map((one) => {
    const { difference: d, relative: r } = one;
    return [
      ...[one.metric, one.part, one.baseline.name, one.candidate.name, one.pairing.isPaired, one.pairing.n],
      ...[one.baseline.mean, one.candidate.mean],
      ...(d.known ? [d.value, d.low, d.high] : [null, null, null]),
      ...(r.known ? [r.value, r.low, r.high] : [null, null, null]),
      ...[one.p, one.adjustedP, one.method?.name, one.verdict, one.power?.neededN],
    ];
  });
  return lines(header, rows);
}

/**
 * One row per pair (or per run, where there are none) and one that sums up, in the columns of the pipeline that launches
 * control and candidate runs.
 */
function pairsCsv(comparisons: readonly Comparison[]): string {
  const rows = comparisons.flatMap(({ metric, pairing, values, baseline, candidate, difference: d }) => {
    const single = values.map((row) => {
      const { label, baseline: a, candidate: b } = row;
      if (pairing.isPaired) return ["pair", label, a, b, b! - a!, null, null];
      return a !== null
        ? ["control", label, a, null, null, null, null]
        : ["candidate", label, null, b, null, null, null];
    });
    const whole = d.known ? [d.value, d.low, d.high] : [null, null, null];
    return [...single, ["summary", metric, baseline.mean, candidate.mean, ...whole]];
  });
  return lines("group,label,value_or_control,candidate_value,effect,ci_low,ci_high", rows);
}

function lines(header: string, rows: unknown[][]): string {
  return `${[header, ...rows.map((row) => row.map(csvCell).join(","))].join("\n")}\n`;
}
