import { csvCell } from "../core/escape.ts";
import { countText, plural } from "../core/number-text.ts";
import { taskName } from "../design/run-name.ts";
import { findLaunch } from "../read/find-launch.ts";
import { type LaunchRun, type LaunchSummary, launchRuns, summariseLaunch } from "../read/summarise-launch.ts";
import {
  armTable,
  cellTable,
  extremeLines,
  limitLines,
  missingReasons,
  passTable,
  runTable,
} from "./coding-tables.ts";
import { styleFor } from "./terminal.ts";

export interface SummarizeOptions {
  latest?: boolean;
  rollout?: string;
  outRoot?: string;
  json?: boolean;
  format?: "table" | "csv" | "json";
}

/** More rows than this are for a file. */
const MOST_ROWS = 60;

/** What the rollouts of a launch come to: one row per run, by task and arm, by arm. */
export async function summarize(name: string, options: SummarizeOptions): Promise<void> {
  const studyDir = findLaunch(name, options);
  if (options.format === "csv") {
    console.log(csvOf(await launchRuns(studyDir)));
    return;
  }
  const launch = await summariseLaunch(studyDir);
  // Nothing was measured: what calls it must not take that for a good end.
  if (isAllMissing(launch)) process.exitCode = 1;
  if (options.json || options.format === "json") console.log(JSON.stringify(plainOf(launch)));
  else console.log(textOf(launch).join("\n"));
}

function isAllMissing({ runs }: LaunchSummary): boolean {
  return runs.length > 0 && runs.every(({ missing }) => missing !== null);
}

function textOf(launch: LaunchSummary): string[] {
  const { title, total, left, runs, summary } = launch;
  const style = styleFor(process.stdout);
  const lines = [
    `${style.bold(title)}: ${plural(summary.tasks.length, "task")}, ${plural(summary.arms.length, "arm")}, ${countText(runs.length)} of ${plural(total, "rollout")}${left > 0 ? ` (${countText(left)} not done yet)` : ""}`,
  ];
  if (runs.length === 0) return [...lines, "no rollout has ended yet"];
  if (runs.length <= MOST_ROWS) lines.push("", runTable(runs));
  else lines.push(`one row per rollout: assay summarize ${title} --format csv`);
  const reasons = missingReasons(runs);
  if (reasons.length > 0) lines.push("", ...reasons.map((line) => style.yellow(line)));
  const suspects = runs.filter(({ suspect }) => suspect !== null);
  if (suspects.length > 0) lines.push("", ...suspectLines(suspects, title).map((line) => style.yellow(line)));
  if (isAllMissing(launch))
    return [...lines, style.red("every rollout is missing: nothing is known about any arm")];
  if (summary.cells.length <= MOST_ROWS) lines.push("", style.bold("by task"), cellTable(summary.cells));
  else
    lines.push(`by task and arm (${countText(summary.cells.length)} rows): assay summarize ${title} --json`);
  lines.push("", style.bold("by arm"), armTable(summary.arms));
  lines.push("", style.bold("chance that one of k rollouts, and that all k, solve a task"));
  lines.push(passTable(summary.arms));
  const flips = summary.arms.filter((arm) => arm.flips.length > 0);
  if (flips.length > 0) lines.push("", style.bold("tasks that some rollouts solve and some don't"));
  for (const arm of flips) lines.push(`${arm.arm}: ${listed(arm.flips.map(taskName))}`);
  const limits = limitLines(launch);
  if (limits.length > 0) lines.push("", ...limits);
  const unpriced = summary.arms.flatMap(({ arm, costPerSolve }) =>
    costPerSolve.known ? [] : [`${arm}: cost per solve is unknown, because ${costPerSolve.why}`],
  );
  if (unpriced.length > 0) lines.push("", ...unpriced);
  return [...lines, "", ...extremeLines(launch)];
}

/** Told, and counted as they were graded. */
function suspectLines(suspects: readonly LaunchRun[], title: string): string[] {
  const shown = suspects.slice(0, 12).map(({ runId, task, suspect, solved }) => {
    const how = solved === 1 ? "counts as solved" : "does not count as solved";
    return `  ${runId} on ${taskName(task)}: ${suspect} (${how})`;
  });
  const more = suspects.length > 12 ? [`  and ${suspects.length - 12} more`] : [];
  return [
    `${plural(suspects.length, "rollout")} may have passed tests without solving the task; no score was changed. Evidence: assay query ${title} --where "suspect != ''" --columns run_id,suspect,notes`,
    ...shown,
    ...more,
  ];
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 12).join(", ");
  return names.length > 12 ? `${shown} and ${names.length - 12} more` : shown;
}

/** Without the runs in every cell, which the list of runs has. */
function plainOf({ summary, ...launch }: LaunchSummary): unknown {
  return {
    ...launch,
    tasks: summary.tasks,
    arms: summary.arms.map(({ best, worst, ...arm }) => ({
      ...arm,
      best: best?.id ?? null,
      worst: worst?.id ?? null,
    })),
    cells: summary.cells.map(({ runs, best, worst, ...cell }) => ({
      ...cell,
      runs: runs.length,
      best: best?.id ?? null,
      worst: worst?.id ?? null,
    })),
  };
}

const COLUMNS = [
  ["run_id", "runId"],
  ["task", "task"],
  ["arm", "arm"],
  ["model", "model"],
  ["agent", "agent"],
  ["rollout", "rollout"],
  ["status", "status"],
  ["missing", "missing"],
  ["score", "score"],
  ["solved", "solved"],
  ["cost_usd", "costUsd"],
  ["seconds", "seconds"],
  ["patch", "patch"],
  ["suspect", "suspect"],
  ["agent_exit", "agentExit"],
  ["model_calls", "calls"],
  ["failed_calls", "failedCalls"],
  ["reason", "reason"],
  ["run_dir", "dir"],
  ["assay_run", "id"],
] as const satisfies readonly (readonly [string, keyof LaunchRun])[];

function csvOf(runs: readonly LaunchRun[]): string {
  const rows = runs.map((run) => COLUMNS.map(([, key]) => csvCell(run[key])).join(","));
  return [COLUMNS.map(([name]) => name).join(","), ...rows].join("\n");
}
