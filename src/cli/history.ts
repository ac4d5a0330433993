import type { Step } from "../analysis/history/detect-steps.ts";
import type { CellHistory, HistoryFindings } from "../analysis/history/history.ts";
import { judgeStep, stepSentence, stepSize } from "../analysis/history/step-sentence.ts";
import { type Bisected, bisectHistory, commitText } from "../api/bisect-history.ts";
import { type HistoryRequest, historyStudy } from "../api/history-study.ts";
import { UserError } from "../core/errors.ts";
import { numberText, plural } from "../core/number-text.ts";
import { listenForInterrupts } from "./interrupts.ts";
import { Progress } from "./progress.ts";
import { raiseExitCode } from "./several-studies.ts";
import { printable, prose, styleFor, table } from "./terminal.ts";

interface HistoryCommand extends HistoryRequest {
  out?: string;
  failOn?: "regression";
  margin?: { value: number; isRelative: boolean };
  limit: number;
  run?: boolean;
  setup?: string;
  json?: boolean;
}

export async function history(names: string[], command: HistoryCommand): Promise<void> {
  const { out, failOn, margin, limit, run, setup, json, ...request } = command;
  if (out !== undefined) (await import("../read/write-chart.ts")).checkChartPath(out);
  if (setup !== undefined && !run)
    throw new UserError("--setup", { expected: "--run beside it", got: "none" });
  const { findings, bisected } = run
    ? await bisect(names, request, { setup, isQuiet: json ?? false })
    : { findings: await historyStudy(names, request), bisected: undefined };
  if (failOn && findings.goal === null)
    throw new UserError(`it is not known which way ${findings.metric} is better`, {
      remedy: "Add --goal minimize or --goal maximize.",
    });
  // The first commit of a history has nothing to draw, which is no mistake.
  const isDrawn = out !== undefined && findings.cells.length > 0;
  if (isDrawn) {
    const { historyChart } = await import("../read/charts/history-chart.ts");
    await (await import("../read/write-chart.ts")).writeChart(historyChart(findings), out);
  }
  const regressions = failOn ? newestForTheWorse(findings, margin) : [];
  if (json)
    console.log(
      JSON.stringify({ ...findings, ...(failOn && { regressions }), ...(bisected && { bisected }) }),
    );
  else print(findings, { out: isDrawn ? out : undefined, limit });
  if (bisected && !json) printBisected(bisected, findings);
  if (regressions.length === 0) return;
  process.stderr.write(
    `assay: the newest step is for the worse: ${regressions.map(({ cell, step }) => `${cell} ${step}`).join("; ")}\n`,
  );
  process.exitCode = 1;
}

async function bisect(
  names: readonly string[],
  request: HistoryRequest,
  { setup, isQuiet }: { setup: string | undefined; isQuiet: boolean },
): Promise<{ findings: HistoryFindings; bisected: Bisected }> {
  const interrupts = listenForInterrupts();
  try {
    const found = await bisectHistory(names, {
      ...request,
      ...(setup !== undefined && { setup }),
      sinks: [new Progress({ stream: process.stderr, verbosity: isQuiet ? -1 : 0, hide: (text) => text })],
      tell: (text) => void (isQuiet || process.stderr.write(`${printable(text)}\n`)),
      ...{ stop: interrupts.stop.signal, kill: interrupts.kill },
    });
    if (found.bisected.isInterrupted) raiseExitCode(interrupts.exitCode);
    else if (found.bisected.suspects.length > 1) raiseExitCode(1);
    return found;
  } finally {
    interrupts.release();
  }
}

function printBisected(bisected: Bisected, { goal }: HistoryFindings): void {
  const { cell, tried, runs, suspects, change, isNoiseKnown, isInterrupted } = bisected;
  const { bold, dim } = styleFor(process.stdout);
  const verdict = judgeStep(change, goal);
  const size = `${stepSize(change)}${verdict === "changed" ? "" : `, for the ${verdict}`}`;
  const effort = `${plural(tried.length, "commit")} tried, ${plural(runs, "run")}`;
  const [first] = suspects;
  if (suspects.length === 1)
    console.log(`${bold(printable(`${cell}: the step is at ${commitText(first!)}`))}\n${size}; ${effort}.`);
  else {
    const why = isInterrupted
      ? "interrupted; the same command resumes it"
      : "not every commit could be judged";
    console.log(`${printable(cell)}: the step is at one of these commits (${why}):`);
    for (const commit of suspects) console.log(`  ${printable(commitText(commit))}`);
    console.log(`${size}; ${effort}.`);
  }
  for (const { verdict: kind, why, ...commit } of tried)
    if (why !== undefined) console.log(dim(printable(`${kind}: ${commitText(commit)}: ${why}`)));
  if (!isNoiseKnown)
    console.log(
      dim(
        prose(
          `There are too few points to know what differs from one measurement to the next, so this rests on the scatter of the runs within each.`,
        ),
      ),
    );
}

function print(findings: HistoryFindings, options: Shown): void {
  const { metric, why, unit, goal, cells, points, single, left } = findings;
  const { bold, dim } = styleFor(process.stdout);
  const better = goal === null ? "" : `, ${goal === "minimize" ? "lower" : "higher"} is better`;
  for (const cell of cells) {
    console.log(`${bold(printable(cell.name))}  ${metric}${unit === null ? "" : ` (${unit})`}${better}\n`);
    console.log(cellTable(cell, { metric, points, ...options }));
    for (const line of stepLines(cell, goal)) console.log(`\n${line}`);
    console.log("");
  }
  if (cells.length === 0)
    console.log(
      `No history yet: ${plural(single, "cell")} measured at one ${points} only. Run the study again at another one.`,
    );
  else if (single > 0)
    console.log(dim(`${plural(single, "cell")} measured at one ${points} only: not shown.`));
  if (cells.some((cell) => cell.points.some(({ interval }) => interval?.isWithin)))
    console.log(dim("* of iterations within one run: what differs from start to start is not in it."));
  if (why !== null && cells.length > 0) console.log(dim(why));
  if (left > 0) console.log(dim(`${plural(left, "run")} without a value of ${metric}: not counted.`));
  if (options.out !== undefined) console.log(`Chart: ${options.out}`);
}

interface Shown {
  out: string | undefined;
  limit: number;
}

function cellTable(
  { points, steps }: CellHistory,
  { metric, points: kind, limit }: Shown & { metric: string; points: string },
): string {
  const stepAt = new Map(steps.known ? steps.steps.map((step) => [step.at, stepSize(step)]) : []);
  const hidden = Math.max(0, points.length - limit);
  const rows = points.map(({ label, atMs, n, mean, interval }, i) => [
    label,
    dateOf(atMs),
    n,
    numberText(mean),
    interval === null
      ? ""
      : `${numberText(interval.low)} to ${numberText(interval.high)}${interval.isWithin ? " *" : ""}`,
    stepAt.get(i) ?? "",
  ]);
  const text = table([kind, "date", "n", metric, "95 % interval", "step"], rows.slice(hidden));
  return hidden === 0 ? text : `${text}\n(${plural(hidden, "earlier point")}: --limit shows more)`;
}

function stepLines({ points, steps }: CellHistory, goal: HistoryFindings["goal"]): string[] {
  const { red, green } = styleFor(process.stdout);
  if (!steps.known) return [`Steps: unknown, because ${steps.why}.`];
  if (steps.steps.length === 0) return [`No step in ${points.length} points that chance does not explain.`];
  return steps.steps.map((step) => {
    const verdict = judgeStep(step, goal);
    const paint = verdict === "worse" ? red : verdict === "better" ? green : (text: string) => text;
    const sentence = stepSentence(step, points, { goal, dateOf });
    return `${paint(sentence[0]!.toUpperCase() + sentence.slice(1))}.`;
  });
}

/** The newest step of a cell is its state now: an older one that was taken back is history. */
function newestForTheWorse(
  { cells, goal }: HistoryFindings,
  margin: HistoryCommand["margin"],
): { cell: string; step: string }[] {
  return cells.flatMap((cell) => {
    const step = cell.steps.known ? cell.steps.steps.at(-1) : undefined;
    if (!step || judgeStep(step, goal) !== "worse" || !matters(step, margin)) return [];
    return [{ cell: cell.name, step: stepSentence(step, cell.points, { goal, dateOf }) }];
  });
}

function matters({ before, after }: Step, margin: HistoryCommand["margin"]): boolean {
  if (!margin) return true;
  const least = margin.isRelative ? margin.value * Math.abs(before) : margin.value;
  return Math.abs(after - before) > least;
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
