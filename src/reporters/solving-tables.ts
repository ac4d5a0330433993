import type { ArmSummary, CellSummary, RolloutsSummary } from "../analysis/solving/summarise-rollouts.ts";
import { durationText, fixedText, usdText } from "../core/number-text.ts";
import type { StudyView, TableView } from "./study-view.ts";

const armNote = (unit: string) =>
  `Solved: the mean over tasks of the share of their rollouts that solve them. Score: the mean over tasks. Both with 95 % intervals over ${unit}, as in \`assay compare\`. pass@k: one of k rollouts solves a task; pass^k: all k do. What an agent failed at counts as 0; what the machine, the grader or the budget ended is missing.`;
const CELL_NOTE =
  "Best and worst lead to the rollouts, with their transcripts and patches. A task flips where some rollouts solve it and some don't.";

/** The two tables of a page about rollouts: by arm, and by task and arm. */
export function rolloutTables(summary: RolloutsSummary): Pick<StudyView, "cells" | "tables"> {
  const most = Math.max(1, ...summary.arms.map(({ passes }) => passes.at(-1)?.k ?? 1));
  return {
    cells: {
      title: "By arm",
      note: armNote(summary.unit === "task" ? "tasks" : "rollouts"),
      header: [
        ...["arm", "tasks", "rollouts", "missing", "solved", "score"],
        ...(most > 1 ? [`pass@${most}`, `pass^${most}`] : []),
        ...["$ per solve", "time per solve", "tasks that flip"],
      ],
      rows: summary.arms.map((arm) => armRow(arm, most)),
    },
    tables: [taskTable(summary.cells)],
  };
}

function armRow(arm: ArmSummary, most: number): string[] {
  const { any, all } = arm.passes.find(({ k }) => k === most) ?? {};
  const passes = most > 1 ? [any, all].map((rate) => (rate?.known ? share(rate.value) : "unknown")) : [];
  return [
    ...[arm.arm, String(arm.tasks), String(arm.runs), missingText(arm)],
    `${rangeText(arm.solveRate)}${limitsText(arm.solveLimits)}`,
    `${arm.score.known ? share(arm.score.value) : "unknown"}${arm.scoreInterval.known ? ` [${share(arm.scoreInterval.low)}, ${share(arm.scoreInterval.high)}]` : ""}${limitsText(arm.scoreLimits)}`,
    ...passes,
    ...[money(arm.costPerSolve), time(arm.secondsPerSolve), String(arm.flips.length)],
  ];
}

function taskTable(cells: readonly CellSummary[]): TableView {
  const hasArms = new Set(cells.map(({ arm }) => arm)).size > 1;
  const header = [
    ...["task", ...(hasArms ? ["arm"] : []), "rollouts", "missing", "solved", "score", "flips"],
    ...["best", "worst", "$ per solve", "time per solve"],
  ];
  const places = [header.indexOf("best"), header.indexOf("worst")] as const;
  return {
    ...{ title: "By task", note: CELL_NOTE, header },
    rows: cells.map((cell) => [
      ...[cell.task, ...(hasArms ? [cell.arm] : []), String(cell.runs.length), missingText(cell)],
      `${cell.solved} of ${cell.judged}`,
      cell.score.known ? share(cell.score.value) : "unknown",
      cell.isFlip ? "flips" : "",
      ...[cell.best, cell.worst].map((run) => (run ? share(run.score!) : "")),
      ...[money(cell.costPerSolve), time(cell.secondsPerSolve)],
    ]),
    links: {
      [places[0]]: cells.map(({ best }) => best?.id ?? null),
      [places[1]]: cells.map(({ worst }) => worst?.id ?? null),
    },
  };
}

function missingText({ missing }: Pick<CellSummary, "missing">): string {
  return Object.entries(missing)
    .map(([owner, count]) => `${count} ${owner}`)
    .join(", ");
}

function limitsText(limits: { low: number; high: number } | null): string {
  return limits ? `, missing ones: ${share(limits.low)} to ${share(limits.high)}` : "";
}

function rangeText(interval: CellSummary["solveRate"]): string {
  if (!interval.known) return "unknown";
  return `${share(interval.estimate)} [${share(interval.low)}, ${share(interval.high)}]`;
}

function money(value: CellSummary["costPerSolve"]): string {
  return value.known ? usdText(value.value) : "unknown";
}

function time(value: CellSummary["costPerSolve"]): string {
  return value.known ? durationText(1000 * value.value) : "unknown";
}

function share(value: number): string {
  return fixedText(value, 2);
}
