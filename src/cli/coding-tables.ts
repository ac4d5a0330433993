import type { ArmSummary, CellSummary, Limits } from "../analysis/solving/summarise-rollouts.ts";
import { durationText, fixedText, plural, usdText } from "../core/number-text.ts";
import { taskName } from "../design/run-name.ts";
import type { LaunchRun, LaunchSummary } from "../read/summarise-launch.ts";
import type { Interval, Result } from "../stats/index.ts";
import { printable, table } from "./terminal.ts";

type Value = Result<{ value: number }>;

/** One row per arm: what it solves, scores, and what a solved task costs. */
export function armTable(arms: readonly ArmSummary[]): string {
  return table(
    ["arm", "tasks", "runs", "missing", "solved", "score", "$/solve", "time/solve", "flips"],
    arms.map((arm) => [
      short(arm.arm, 28),
      arm.tasks,
      arm.runs,
      missingText(arm.missing),
      rateText(arm.solveRate),
      valueText(arm.score, arm.scoreInterval),
      moneyText(arm.costPerSolve),
      timeText(arm.secondsPerSolve),
      arm.flips.length,
    ]),
  );
}

/** pass@k and pass^k of each arm. */
export function passTable(arms: readonly ArmSummary[]): string {
  return table(
    ["arm", "k", "pass@k", "95 %", "pass^k", "95 %"],
    arms.flatMap(({ arm, passes }) =>
      passes.map(({ k, any, all }) => [
        short(arm, 28),
        k,
        any.known ? digits(any.value) : "?",
        any.known ? rangeText(any.interval) : any.why,
        all.known ? digits(all.value) : "?",
        all.known ? rangeText(all.interval) : all.why,
      ]),
    ),
  );
}

/** One row per task and arm. */
export function cellTable(cells: readonly CellSummary[]): string {
  return table(
    ["task", "arm", "runs", "missing", "solved", "score", "best", "$/solve", "time/solve"],
    cells.map((cell) => [
      short(taskName(cell.task), 26),
      short(cell.arm, 22),
      cell.runs.length,
      missingText(cell.missing),
      `${cell.solved}/${cell.judged}${cell.isFlip ? " flips" : ""}`,
      cell.score.known ? digits(cell.score.value) : "?",
      cell.best ? digits(cell.best.score!) : "?",
      moneyText(cell.costPerSolve),
      timeText(cell.secondsPerSolve),
    ]),
  );
}

export function runTable(runs: readonly LaunchRun[]): string {
  const hasCalls = runs.some(({ calls }) => calls !== null);
  return table(
    ["run", "task", "arm", "status", "exit", ...(hasCalls ? ["calls"] : []), "score", "$", "time"],
    runs.map((run) => [
      run.runId,
      short(taskName(run.task), 26),
      short(run.arm, 22),
      statusText(run),
      run.agentExit ?? "?",
      ...(hasCalls ? [callsText(run)] : []),
      run.score === null ? "?" : digits(run.score),
      run.costUsd === null ? "?" : usdText(run.costUsd),
      run.seconds === null ? "?" : durationText(run.seconds * 1000),
    ]),
  );
}

function statusText({ missing, status, solved }: LaunchRun): string {
  if (missing !== null) return missing;
  return status === "ok" && solved ? "solved" : status;
}

function callsText({ calls, failedCalls }: LaunchRun): string {
  if (calls === null) return "?";
  return failedCalls ? `${calls} (${failedCalls} failed)` : String(calls);
}

const MOST_REASONS = 5;

/** Why rollouts are missing: one line per reason. */
export function missingReasons(runs: readonly LaunchRun[]): string[] {
  const counts = new Map<string, number>();
  for (const { missing, reason } of runs) {
    const why = `${missing}: ${printable(reason ?? "no reason was recorded")}`;
    if (missing !== null) counts.set(why, (counts.get(why) ?? 0) + 1);
  }
  const lines = [...counts].sort((a, b) => b[1] - a[1]).map(([why, count]) => `${count} missing (${why})`);
  const more = lines.length - MOST_REASONS;
  return more > 0 ? [...lines.slice(0, MOST_REASONS), `and ${plural(more, "further reason")}`] : lines;
}

/** What the missing rollouts could change, arm by arm. */
export function limitLines({ summary }: LaunchSummary): string[] {
  return summary.arms.flatMap(({ arm, missing, solveLimits, scoreLimits }) =>
    solveLimits && scoreLimits
      ? [
          `${arm}: ${missingText(missing)} missing; had they all failed or all passed, solved would be ${limits(solveLimits)} and score ${limits(scoreLimits)}`,
        ]
      : [],
  );
}

/** Best and worst rollout of an arm, with where its files are. */
export function extremeLines({ summary, runs }: LaunchSummary): string[] {
  const dirs = new Map(runs.map((run) => [run.id, run]));
  return summary.arms.flatMap(({ arm, best, worst }) =>
    [["best", best] as const, ["worst", worst] as const].flatMap(([word, run]) => {
      const own = run && dirs.get(run.id);
      if (!own || (word === "worst" && best === worst)) return [];
      return [`${word} of ${arm}: ${own.runId}, score ${digits(own.score!)}: ${own.dir}`];
    }),
  );
}

function rateText(rate: Result<Interval>): string {
  return rate.known ? `${digits(rate.estimate)} [${digits(rate.low)}, ${digits(rate.high)}]` : "?";
}

function valueText(value: Value, interval: Result<Interval>): string {
  if (!value.known) return "?";
  return interval.known
    ? `${digits(value.value)} [${digits(interval.low)}, ${digits(interval.high)}]`
    : digits(value.value);
}

function rangeText(interval: Result<Interval>): string {
  return interval.known ? `${digits(interval.low)}-${digits(interval.high)}` : "unknown";
}

function moneyText(value: Value): string {
  return value.known ? usdText(value.value) : "?";
}

function timeText(value: Value): string {
  return value.known ? durationText(value.value * 1000) : "?";
}

function limits({ low, high }: Limits): string {
  return `${digits(low)} to ${digits(high)}`;
}

function missingText(missing: Record<string, number>): string {
  const parts = Object.entries(missing).map(([owner, count]) => `${count} ${owner}`);
  return parts.length === 0 ? "-" : parts.join(", ");
}

function digits(value: number): string {
  return fixedText(value, 2);
}

/** The end of a name tells more than its beginning. */
function short(text: string, most: number): string {
  return text.length <= most ? text : `…${text.slice(1 - most)}`;
}
