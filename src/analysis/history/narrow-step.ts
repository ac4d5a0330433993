import { UserError } from "../../core/errors.ts";
import { canonicalJson } from "../../core/hash.ts";
import { tLimits } from "../../stats/intervals/t-intervals.ts";
import type { CellHistory, HistoryPoint } from "./history.ts";

export interface Commit {
  hash: string;
  authoredAt: string;
  subject: string;
}

export interface TriedCommit extends Commit {
  /** Which level it is on; "skipped" where it could not be measured, "unclear" where its value lies between the two. */
  verdict: "before" | "after" | "unclear" | "skipped";
  mean: number | null;
  why?: string;
}

export interface NewestStep {
  cell: CellHistory;
  from: HistoryPoint;
  to: HistoryPoint;
  /** The commits known to be of either level. */
  left: string[];
  right: string[];
  before: number;
  after: number;
  /** The scatter of points about their level, where there are enough of them for that to be known. */
  noise?: { sd: number; df: number };
}

/** Of all cells: the one that the newest point begins a level of. */
export function newestStep(cells: readonly CellHistory[]): NewestStep {
  const steps = cells.flatMap((cell) => foundStep(cell) ?? []);
  const [newest] = steps.toSorted((a, b) => b.to.atMs - a.to.atMs);
  if (newest) return newest;
  throw new UserError("--run", {
    expected: "a step to narrow",
    got: cells.length === 0 ? "fewer than two measured points" : "points that chance explains",
    remedy: "With fewer than 8 points, two neighbours must differ by more than their intervals: add seeds.",
  });
}

/** The step that the points show; where they are too few for that, the newest two neighbours whose intervals lie apart. */
function foundStep(cell: CellHistory): NewestStep | undefined {
  const { points, steps } = cell;
  const hashes = (list: readonly HistoryPoint[]) => list.filter(isClean).map(({ commit }) => commit!);
  if (steps.known) {
    const step = steps.steps.at(-1);
    if (!step) return undefined;
    const [left, right] = [points.slice(steps.steps.at(-2)?.at ?? 0, step.at), points.slice(step.at)];
    const [from, to] = [left.findLast(isClean), right.find(isClean)];
    if (!from || !to) return undefined;
    const rests = [...left.map((p) => p.mean - step.before), ...right.map((p) => p.mean - step.after)];
    const df = rests.length - 2;
    const noise = { sd: Math.sqrt(rests.reduce((sum, rest) => sum + rest * rest, 0) / df), df };
    const { before, after } = step;
    return { ...{ cell, from, to, left: hashes(left), right: hashes(right), before, after, noise } };
  }
  const own = points.filter(isClean);
  const cuts = own.flatMap((_, i) => (i > 0 && areApart(own[i - 1]!, own[i]!) ? [i] : []));
  const at = cuts.at(-1);
  if (at === undefined) return undefined;
  const [left, right] = [own.slice(cuts.at(-2) ?? 0, at), own.slice(at)];
  const [from, to] = [own[at - 1]!, own[at]!];
  const levels = { before: from.mean, after: to.mean };
  return { ...{ cell, from, to, left: hashes(left), right: hashes(right) }, ...levels };
}

function areApart(one: HistoryPoint, other: HistoryPoint): boolean {
  const [a, b] = [limitsOf(one), limitsOf(other)];
  return a !== undefined && b !== undefined && (a.high < b.low || b.high < a.low);
}

/** Measured without uncommitted changes. */
function isClean({ commit, label }: HistoryPoint): boolean {
  return commit?.startsWith(label) ?? false;
}

/** What it is called depends on the other cells. */
export function isSameCell(one: CellHistory, other: CellHistory): boolean {
  const key = ({ target, variant, params }: CellHistory) => canonicalJson([target, variant, params]);
  return key(one) === key(other);
}

/** Of one commit; with uncommitted changes only where that is allowed. */
export function pointAt(
  { points }: Pick<CellHistory, "points">,
  hash: string,
  onlyClean: boolean,
): HistoryPoint | undefined {
  const own = points.filter(({ commit }) => commit === hash);
  return own.find(isClean) ?? (onlyClean ? undefined : own.at(-1));
}

/** Where a point's value can be: by the scatter between points, or else by that within it. Equal values have none. */
function limitsOf(
  { mean, n, interval }: HistoryPoint,
  noise?: NewestStep["noise"],
): { low: number; high: number } | undefined {
  // One value in twenty of a level lies further to the other level's side.
  if (noise) return tLimits(mean, noise.sd, { df: noise.df, level: 0.9, side: "two-sided" });
  if (interval && !interval.isWithin) return interval;
  return n > 1 ? { low: mean, high: mean } : undefined;
}

/** Which level a commit is on. */
export function judge(
  commit: Commit,
  point: HistoryPoint | undefined,
  { before, after, noise }: NewestStep,
  failure: string | undefined,
): TriedCommit {
  if (!point)
    return { ...commit, verdict: "skipped", mean: null, why: failure ?? "its runs gave this cell no value" };
  const { mean } = point;
  const middle = (before + after) / 2;
  const limits = limitsOf(point, noise);
  if (!limits || (limits.low <= middle && middle <= limits.high))
    return { ...commit, verdict: "unclear", mean, why: "its value can be of either level" };
  return { ...commit, verdict: mean > middle === after > before ? "after" : "before", mean };
}

/** The open commit nearest to the middle of what is left. */
export function middleOf(low: number, high: number, isOpen: (i: number) => boolean): number | undefined {
  const middle = (low + high) / 2;
  const open = Array.from({ length: Math.max(0, high - low - 1) }, (_, i) => low + 1 + i).filter(isOpen);
  return open.toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0];
}
