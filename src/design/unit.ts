import type { RunRecord } from "../core/run.ts";
import { ABSENT, levelOf, type Placement } from "./factors.ts";

/** What is drawn, and therefore counted and resampled: what else varies within it is averaged or paired. */
export type UnitKind = "task" | "seed" | "round" | "repeat" | "setting" | "run";

/** What there is to choose the unit from. */
export interface Drawn {
  tasks: number;
  seeds: number;
  repeats: number;
  /** Whether arms take turns, so that runs of one round met the same machine. */
  isInterleaved: boolean;
  /** Whether all arms share settings that vary within an arm. */
  hasBlocks: boolean;
  pairBy?: readonly string[] | undefined;
}

/**
 * The unit of a study. Of tasks and seeds it is the one that was drawn more often: with 20 tasks and 3 seeds the claim
 * is about tasks of their kind and seeds are tries at a task; with 3 tasks and 20 seeds it is about these very tasks.
 * `pairBy` with one of the two decides it. Repeats of one seed are paired only where arms take turns. Where nothing
 * was done twice, the settings that all arms share are what is counted.
 */
export function chooseUnit({
  tasks,
  seeds,
  repeats,
  isInterleaved,
  hasBlocks,
  pairBy = [],
}: Drawn): UnitKind {
  const [byTask, bySeed] = [pairBy.includes("task"), pairBy.includes("seed")];
  if (byTask && !bySeed && tasks > 1) return "task";
  if (bySeed && !byTask && seeds > 1) return "seed";
  if (tasks > 1 && tasks >= seeds) return "task";
  if (seeds > 1) return "seed";
  if (repeats > 1 && isInterleaved) return "round";
  if (hasBlocks) return "setting";
  return repeats > 1 ? "repeat" : "seed";
}

/** How two arms are paired. */
export interface Pairing {
  /** What pairs them; empty where nothing does. */
  keys: string[];
  /** The key that several pairs share, so that they are not independent. */
  clusterBy: string | undefined;
  /** What runs of one pair may differ in though the user named the pair, for the message about it. */
  unnamed: string[];
  isAsked: boolean;
}

interface PairingQuestion {
  /** What the user says pairs them. */
  asked: readonly string[] | undefined;
  unit: UnitKind;
  blocks: readonly string[];
  taskName: string;
  counts: { tasks: number; seeds: number };
}

/** Pairs are one unit at one setting; settings of one unit are not independent, so units are what is counted. */
export function pairingOf({ asked, unit, blocks, taskName, counts }: PairingQuestion): Pairing {
  const tasks = unit === "seed" && counts.tasks > 1 ? [taskName] : [];
  const own = unit === "task" ? [taskName] : unit === "seed" ? ["seed"] : unit === "round" ? ["repeat"] : [];
  const whole = [...tasks, ...own, ...blocks];
  if (asked) {
    const keys = [...asked];
    return {
      keys,
      clusterBy: keys.length > 1 ? [...own, taskName, "seed"].find((name) => keys.includes(name)) : undefined,
      unnamed: whole.filter((name) => !keys.includes(name) && name !== "seed"),
      isAsked: true,
    };
  }
  if (unit === "repeat" || unit === "run")
    return { keys: [], clusterBy: undefined, unnamed: [], isAsked: false };
  return { keys: whole, clusterBy: whole.length > 1 ? own[0] : undefined, unnamed: [], isAsked: false };
}

export function taskOf(run: Placement, name: string | undefined): string | null {
  return name === undefined ? run.task : levelWord(run, name);
}

export function levelWord(run: Placement, name: string): string {
  const level = levelOf(run, name);
  return level === ABSENT ? "(none)" : level;
}

export function unitLevel(
  run: RunRecord,
  unit: UnitKind,
  task: string | undefined,
  blocks: readonly string[],
): string {
  if (unit === "run") return run.id;
  if (unit === "task") return taskOf(run, task) ?? "";
  if (unit === "round" || unit === "repeat") return String(run.repeat);
  return unit === "seed" ? String(run.seed) : named(run, blocks);
}

interface BlockQuestion {
  blocks: readonly string[];
  unit: UnitKind;
  taskName: string;
  hasTasks: boolean;
  task: string | undefined;
}

export function blockText(run: RunRecord, { blocks, unit, taskName, hasTasks, task }: BlockQuestion): string {
  if (unit === "setting" || unit === "run") return "";
  const isTasks = unit !== "task" && hasTasks;
  const tasks = isTasks ? [`${taskName} ${taskOf(run, task) ?? ""}`] : [];
  return [...tasks, ...(blocks.length > 0 ? [named(run, blocks)] : [])].join(", ");
}

/** `workflows 50, load 0.8`. */
function named(run: Placement, names: readonly string[]): string {
  return names.map((name) => `${name} ${levelWord(run, name)}`).join(", ");
}

/** `3`, or `seed 3, workflows 50`; null where nothing pairs. */
export function pairText(run: Placement, keys: readonly string[]): string | null {
  if (keys.length === 0) return null;
  return keys.length === 1 ? levelWord(run, keys[0]!) : named(run, keys);
}

/** Runs end in any order, and what is drawn at random goes by the place of a value: one study has one answer. */
export function byPlace(a: RunRecord, b: RunRecord): number {
  return byText(a.task ?? "", b.task ?? "") || a.seed - b.seed || a.repeat - b.repeat || byText(a.id, b.id);
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** How many different levels runs have; those without one don't count. */
export function countOf(runs: readonly RunRecord[], of: (run: RunRecord) => string | null): number {
  const seen = new Set<string>();
  for (const run of runs) {
    const level = of(run);
    if (level !== null) seen.add(level);
  }
  return seen.size;
}
