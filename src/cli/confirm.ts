import { relative } from "node:path";
import { type Confirmed, type ConfirmOptions, confirmStudy } from "../api/confirm-study.ts";
import { reportStudy } from "../api/report-study.ts";
import { durationText, numberText, plural } from "../core/number-text.ts";
import { listenForInterrupts } from "./interrupts.ts";
import { Progress } from "./progress.ts";
import { raiseExitCode } from "./several-studies.ts";
import { printable, prose, styleFor, table } from "./terminal.ts";

interface ConfirmCommand extends ConfirmOptions {
  quiet?: boolean;
  json?: boolean;
}

export async function confirm(name: string, { quiet, json, ...options }: ConfirmCommand): Promise<void> {
  const interrupts = listenForInterrupts();
  let confirmed: Confirmed;
  try {
    confirmed = await confirmStudy(name, {
      ...options,
      sinks: [
        new Progress({ stream: process.stderr, verbosity: quiet || json ? -1 : 0, hide: (text) => text }),
      ],
      ...{ stop: interrupts.stop.signal, kill: interrupts.kill },
    });
  } finally {
    interrupts.release();
  }
  const { summary, studyDir } = confirmed.result;
  const report = relative(process.cwd(), (await reportStudy(studyDir))[0]!);
  if (json) console.log(JSON.stringify(asJson(confirmed, report)));
  else print(confirmed, report);
  if (summary.stopped === "interrupted") raiseExitCode(interrupts.exitCode);
  else if (summary.failed + summary.cancelled > 0 || summary.stopped !== undefined) raiseExitCode(1);
}

function print(
  { result, points, compared, seeds, sentences, notes, baseline }: Confirmed,
  report: string,
): void {
  const { bold, dim, yellow, cyan } = styleFor(process.stdout);
  const { summary } = result;
  const counts = [
    `${summary.ok} ok`,
    summary.stoppedEarly > 0 && `${summary.stoppedEarly} stopped early`,
    summary.failed > 0 && `${summary.failed} failed`,
    summary.skipped > 0 && `${summary.skipped} done before`,
    summary.left > 0 && `${summary.left} left: the same command resumes it`,
  ].filter(Boolean);
  for (const { text } of [...notes, ...result.notes]) console.log(yellow(printable(text)));
  console.log(
    `${plural(points.length, "point")} on seeds ${seedsText(seeds)}, none of which the search used: ${counts.join(", ")} in ${durationText(summary.wallMs)}\n`,
  );
  for (const [i, sentence] of sentences.entries())
    console.log((i === 0 ? bold : String)(prose(printable(sentence))));
  const metrics = compared ? [...new Set(compared.comparisons.map(({ metric }) => metric))] : [];
  const header = [
    "point",
    "seeds",
    ...points[0]!.fresh.flatMap((_, k) => [
      `in the search${label(metrics, k)}`,
      "on fresh seeds",
      "95 % t interval",
    ]),
  ];
  const rows = points.map(({ name, n, searched, fresh, intervals }) => [
    `${name}${name === baseline ? " (baseline)" : ""}`,
    String(n),
    ...fresh.flatMap((value, k) => {
      const interval = intervals[k]!;
      return [
        searched[k] === undefined ? "never tried" : numberText(searched[k]),
        value === null ? "unknown" : numberText(value),
        interval.known ? `${numberText(interval.low)} to ${numberText(interval.high)}` : "unknown",
      ];
    }),
  ]);
  console.log(`\n${table(header, rows)}\n`);
  for (const { sentence } of compared?.comparisons ?? []) console.log(prose(printable(sentence)));
  const reasons = new Map<string, Set<string>>();
  for (const { name, intervals } of points)
    for (const interval of intervals)
      if (!interval.known) reasons.set(interval.why, (reasons.get(interval.why) ?? new Set()).add(name));
  for (const [why, names] of reasons)
    console.log(dim(`${[...names].join(", ")}: no interval, because ${why}.`));
  for (const { text } of compared?.warnings ?? []) console.log(dim(prose(`note: ${text}`)));
  console.log(`\nOpen this report: ${cyan(report)}`);
}

function label(metrics: readonly string[], k: number): string {
  return metrics.length > 1 ? ` (${metrics[k]})` : "";
}

function seedsText(seeds: readonly number[]): string {
  const isRow = seeds.every((seed, i) => i === 0 || seed === seeds[i - 1]! + 1);
  return isRow && seeds.length > 2 ? `${seeds[0]} to ${seeds.at(-1)}` : seeds.join(", ");
}

function asJson({ result, compared, ...rest }: Confirmed, report: string) {
  const { summary, studyDir, notes } = result;
  return {
    studyDir,
    report,
    ...{ ...rest, notes: [...rest.notes, ...notes], summary },
    comparisons: (compared?.comparisons ?? []).map(({ values: _, ...one }) => one),
  };
}
