import { type FailureGroup, isFailure, likeness, type RunRecord } from "../../core/run.ts";
import type { ArmSet } from "../../design/arm-set.ts";
import type { Design, PlacedRun } from "../../design/design.ts";
import { ABSENT } from "../../design/factors.ts";
import { settleFailures } from "../compare/settle-failures.ts";
import { rolloutRun } from "./rollout-run.ts";

/** What every arm made of every task. Numbers stand by arm, one for each task; null or 0 of 0 where nothing is known. */
export interface TaskGrid {
  metric: string;
  /** Whether runs pass or fail: then `solved` of `judged` is what a cell says, else its mean. */
  isRate: boolean;
  goal: "minimize" | "maximize" | null;
  tasks: string[];
  arms: TaskGridArm[];
  /** Over all arms: the mean, how far the arms are apart, what the task cost. */
  means: (number | null)[];
  gaps: (number | null)[];
  costs: (number | null)[];
  endings: Ending[];
}

interface TaskGridArm {
  name: string;
  /** What finds its runs: a column's value, "" for none. */
  levels: Record<string, string>;
  means: (number | null)[];
  solved: number[];
  judged: number[];
  /** Runs that say nothing about the arm: the machine, the grader or the budget ended them. */
  missing: number[];
}

/** Runs that did not solve their task and ended alike. */
interface Ending extends Pick<FailureGroup, "owner" | "count" | "ids"> {
  what: string;
  /** In the order of the arms. */
  byArm: number[];
}

interface Question {
  /** The design's runs, observed on the metric in question. */
  set: ArmSet;
  /** Where runs are tries that are judged: what counts as solved then is the verdict, not the metric. */
  hasVerdicts: boolean;
}

/** Undefined where runs have fewer than two tasks. */
export function taskGrid(design: Design, { set, hasVerdicts }: Question): TaskGrid | undefined {
  const tasks = [...new Set(design.runs.flatMap(({ task }) => (task === null ? [] : [task])))];
  if (tasks.length < 2) return undefined;
  const settled = settleFailures(set);
  const isRate = settled.isRate || hasVerdicts;
  const values = new Map<string | number, number | null>();
  for (const { arm } of settled.arms) for (const { id, value } of arm.observations) values.set(id, value);
  const judge = (run: PlacedRun): { value: number | null; isSolved: boolean } => {
    const value = values.get(run.record.id) ?? null;
    if (!hasVerdicts) return { value, isSolved: value === (set.goal === "minimize" ? 0 : 1) };
    const { score, solved } = rolloutRun(run.record, run.arm);
    return { value: score, isSolved: solved === 1 };
  };

  const places = new Map(tasks.map((task, i) => [task, i]));
  const none = () => tasks.map(() => 0);
  const arms = design.arms.map(({ name, levels }) => ({
    name,
    levels: levelsOf(design, levels),
    ...{ sums: none(), solved: none(), judged: none(), missing: none() },
  }));
  const byName = new Map(arms.map((arm) => [arm.name, arm]));
  const costs: (number | null)[] = tasks.map(() => null);
  const unsolved: PlacedRun[] = [];
  for (const run of design.runs) {
    const [arm, at] = [byName.get(run.arm), run.task === null ? undefined : places.get(run.task)];
    if (!arm || at === undefined) continue;
    const { value, isSolved } = judge(run);
    if (value === null) arm.missing[at]!++;
    else {
      arm.sums[at]! += isRate && !hasVerdicts ? Number(isSolved) : value;
      arm.judged[at]!++;
      if (isSolved) arm.solved[at]!++;
    }
    if (isRate ? !isSolved : value === null) unsolved.push(run);
    const cost = run.record.metrics.cost_usd ?? run.record.costUsd;
    if (typeof cost === "number" && Number.isFinite(cost)) costs[at] = (costs[at] ?? 0) + cost;
  }
  const shown = arms.map(({ sums, ...arm }) => ({
    ...arm,
    means: sums.map((sum, i) => (arm.judged[i]! > 0 ? sum / arm.judged[i]! : null)),
  }));
  const known = tasks.map((_, i) => shown.flatMap(({ means }) => (means[i] == null ? [] : [means[i]])));
  return {
    ...{ metric: set.metric, isRate, goal: set.goal ?? null, tasks, arms: shown, costs },
    means: known.map((list) =>
      list.length === 0 ? null : list.reduce((sum, mean) => sum + mean, 0) / list.length,
    ),
    gaps: known.map(gapOf),
    endings: endingsOf(unsolved, [...byName.keys()]),
  };
}

/** Twice the standard deviation between arms: of two arms their distance, of many 1 where half of them solve a task. */
function gapOf(means: readonly number[]): number | null {
  if (means.length < 2) return null;
  const mean = means.reduce((sum, one) => sum + one, 0) / means.length;
  return 2 * Math.sqrt(means.reduce((sum, one) => sum + (one - mean) ** 2, 0) / means.length);
}

function levelsOf({ by, variant }: Design, levels: readonly string[]): Record<string, string> {
  const entries = by.map((name, i) => [name, levels[i] === ABSENT ? "" : (levels[i] ?? "")] as const);
  return Object.fromEntries(variant === null ? entries : [...entries, ["variant", variant] as const]);
}

const MOST_ENDINGS = 50;
const MOST_IDS = 3;

/** What runs ended with that solved nothing, the most frequent first. */
function endingsOf(runs: readonly PlacedRun[], arms: readonly string[]): Ending[] {
  const groups = new Map<string, Ending>();
  for (const { record, arm } of runs) {
    const what = endingOf(record);
    const owner = isFailure(record.outcome) ? (record.outcome.owner ?? "agent") : "";
    const key = `${owner}\n${likeness(what)}`;
    const ending = groups.get(key) ?? { what, owner, count: 0, ids: [], byArm: arms.map(() => 0) };
    ending.count++;
    ending.byArm[arms.indexOf(arm)]!++;
    if (ending.ids.length < MOST_IDS) ending.ids.push(record.id);
    groups.set(key, ending);
  }
  return [...groups.values()].sort((a, b) => b.count - a.count).slice(0, MOST_ENDINGS);
}

function endingOf({ outcome, labels = {} }: RunRecord): string {
  if (outcome.status !== "ok") return outcome.reason ?? outcome.status;
  const { agent_exit: exit, exit_status: status, patch } = labels;
  const said = [exit && `agent exit ${exit}`, status, patch && `patch ${patch}`].filter(Boolean);
  return said.length > 0 ? `${said.join(", ")}: not solved` : "ended well, not solved";
}
