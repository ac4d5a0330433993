import type { Params, Value } from "./params.ts";

/** One cell with one seed, one task (if any) and one repeat: the unit that is executed and recorded. */
export interface Run {
  /** Readable prefix and 12 hex digits over everything that could change the result. */
  id: string;
  params: Params;
  variant: string;
  flags: string[];
  seed: number;
  task: string | null;
  /** The fields of the task, where it comes from a dataset. In no record: the dataset has them. */
  item?: Params;
  /** Which state the task's content has, and behind a `+` the files that parameters name, where the target can tell. */
  taskVersion?: string;
  repeat: number;
}

export const OWNERS = ["agent", "infrastructure", "grader", "budget"] as const;
export type Owner = (typeof OWNERS)[number];

/** "stopped": ended early by the study's own rule, because it could not become one of the best; no failure. */
export const STATUSES = ["ok", "stopped", "failed", "timeout", "cancelled", "skipped"] as const;
export type Status = (typeof STATUSES)[number];

/** How a run ended. A failure has the shape of a success. */
export interface Outcome {
  status: Status;
  /** Whose fault a failure is: what is measured ("agent"), or something around it. */
  owner?: Owner;
  reason?: string;
  exitCode?: number;
}

/** A number, or null where it is unknown. */
export type Metrics = Record<string, number | null>;

/** What each measured iteration of a run gave: kept in the run's folder, not in the journal. */
export interface Iterations {
  warmup: number;
  /** Calls of the body in each of them, where that is more than one: a duration is the mean of these. */
  batch?: number;
  /** Time of each body alone, in order. */
  durationMs: number[];
  /** Processor time of each, where that is known and long enough to be told apart from the clock's own. */
  cpuMs?: number[];
  /** One value an iteration; null where it is unknown. */
  metrics: Record<string, (number | null)[]>;
  /** What was measured once, around all of them. */
  ofRun?: Metrics;
  /** Of the time of all bodies, the share in which they neither computed nor waited for a core, where that is known. */
  waitingShare?: number;
  /** The iteration that ended the run, counted from 0, and why. */
  failure?: { index: number; reason: string };
  /** What reading the clock adds to each duration; null where it is far below them anyway (programs). */
  overheadNs: number | null;
}

/** What one try at a run gave. */
export interface Attempt {
  outcome: Outcome;
  metrics: Metrics;
  /** Facts that are not numbers. */
  labels?: Record<string, string>;
  warnings?: string[];
  /** Milliseconds since 1970, for people; durations never come from it. */
  startedAtMs: number;
  /** From a monotonic clock. */
  wallMs: number;
  costUsd?: number;
  /** Paths below the run's out folder. */
  files?: string[];
  iterations?: Iterations;
  /** What the run itself says of where it ran; result files have it beside what Assay knows. */
  environment?: Record<string, unknown>;
  /** What scorers made of its output, by their names; those that failed are absent. */
  scored?: Record<string, ScoreNote>;
  /** Earlier tries that were killed before they could say so themselves, oldest first. */
  lost?: EarlierAttempt[];
}

/** Which state of a scorer scored an output, and what it gave. */
export interface ScoreNote {
  version: string;
  metrics: string[];
  labels?: string[];
}

export interface EarlierAttempt {
  reason: string;
  wallMs: number;
  costUsd?: number;
}

/** The one line that says how a run ended. */
export interface RunRecord extends Omit<Attempt, "iterations" | "environment" | "lost">, Run {
  /** Which state of the program was measured. */
  program: string;
  /** Tries so far, this one included. */
  attempt: number;
  /** Earlier tries without a record of their own: infrastructure failures of the same launch, and what was killed. */
  earlier?: EarlierAttempt[];
}

export const OK: Outcome = { status: "ok" };

/** Whose fault it is that a run has no numbers; undefined where it ended well. */
export function faultOf({ status, owner }: Outcome): Owner | "unknown" | undefined {
  if (status === "ok") return undefined;
  return owner ?? (status === "failed" || status === "timeout" ? "agent" : "unknown");
}

export function failed(owner: Owner, reason: string, exitCode?: number): Outcome {
  return exitCode === undefined
    ? { status: "failed", owner, reason }
    : { status: "failed", owner, reason, exitCode };
}

/** Thrown by a target that knows whose fault it is that there is no result, and what it measured until then. */
export class RunFailure extends Error {
  override name = "RunFailure";
  readonly owner: Owner;
  readonly metrics: Metrics;

  constructor(owner: Owner, reason: string, metrics: Metrics = {}) {
    super(reason);
    this.owner = owner;
    this.metrics = metrics;
  }
}

/** Thrown by a run past its time that waited for others: being late is not its own doing. */
export class Delayed extends RunFailure {
  override name = "Delayed";
}

/** Whose fault something is that a target threw: what the machine refused is nobody's who is measured. */
export function ownerOf(error: unknown): Owner {
  if (error instanceof RunFailure) return error.owner;
  return error instanceof Error && error.name === "MachineError" ? "infrastructure" : "agent";
}

export function isFailure({ status }: Outcome): boolean {
  return status === "failed" || status === "timeout";
}

/** A run past its time limit is late, whatever it says of itself. */
export function timedOut(timeoutMs: number): Outcome {
  return { status: "timeout", owner: "agent", reason: `still running after ${timeoutMs / 1000} s` };
}

/** Whether a run has left an output, whatever scorers made of it. */
export function isGenerated({ outcome, scored }: Pick<RunRecord, "outcome" | "scored">): boolean {
  return outcome.status === "ok" || (scored !== undefined && outcome.owner === "grader");
}

/** The 12 hex digits that stand for a run, whatever label it was planned under. */
export function hashOf(id: string): string {
  return id.slice(-12);
}

/** What a target says of one of its metrics. study.json repeats it, so that readers need not load the target. */
export interface MetricInfo {
  unit: string;
  /** Which way is better. */
  direction: "minimize" | "maximize" | "none";
  description?: string;
  /** The least and the most that it can be: no interval leaves it. */
  range?: readonly [number, number];
  /**
   * What a run counts as that the measured thing itself failed (owner: agent): the end of `range` that is worse, or
   * missing, which is the default.
   */
  failure?: "worst" | "missing";
  /** What the study is about unless its file says otherwise; those that are stand first. */
  primary?: true;
  /** Of a pattern: what the metric is called, where its name without the braces says too little. */
  label?: string;
  /** Of a pattern: the setting that the others are compared with, such as `{ mode: "disk" }`. */
  baseline?: Params;
}

/**
 * By name; `rubric/*` stands for every name that begins with `rubric/`, `build_us.{algorithm}.n{agents}` for names such as
 * `build_us.quadtree.n100`, whose parts are then settings like any other.
 */
export type MetricInfos = Record<string, MetricInfo>;

export function findMetricInfo(infos: MetricInfos, metric: string): MetricInfo | undefined {
  const family = metric.includes("/") ? [`${metric.split("/")[0]}/*`] : [];
  // build_ms.quadtree is a build_ms.
  const names = [metric, metric.split(".")[0]!, ...family];
  const known =
    names.find((name) => Object.hasOwn(infos, name)) ??
    Object.keys(infos).find((key) => isPattern(key) && parsePattern(key).read(metric)?.statistic === "");
  return known === undefined ? undefined : infos[known];
}

/** Failed runs with one reason. */
export interface FailureGroup {
  owner: string;
  /** Of the first of them; numbers in it may differ in the others. */
  reason: string;
  count: number;
  /** The first few. */
  ids: string[];
}

const MOST_IDS = 5;

/** What texts have in common that tell of one thing: a line of code fails at step 17 and at step 18. */
export function likeness(text: string): string {
  return text.replaceAll(/0x[\da-f]+|\d+/gi, "#");
}

/** Failures that give the same reason, however many runs have it: the most frequent first. */
export function groupFailures(failures: Iterable<{ id: string; outcome: Outcome }>): FailureGroup[] {
  const groups = new Map<string, FailureGroup>();
  for (const { id, outcome } of failures) {
    const owner = outcome.owner ?? outcome.status;
    const reason = outcome.reason ?? outcome.status;
    // Another exit code is another reason.
    const key = [owner, outcome.exitCode, likeness(reason)].join();
    const group = groups.get(key) ?? { owner, reason, count: 0, ids: [] };
    group.count++;
    if (group.ids.length < MOST_IDS) group.ids.push(id);
    groups.set(key, group);
  }
  return [...groups.values()].sort((a, b) => b.count - a.count);
}

/** A metric whose names say what was measured where: `build_us.{algorithm}.n{agents}`, `{mode=disk|memory}_ms`. */
export interface MetricPattern {
  /** What the braces name, in their order. */
  parts: string[];
  /** What the metric is called without them: the longest piece between braces and dots. */
  stem: string;
  /** What a metric's name says of each part; `statistic` is what follows it, such as `_min`. Undefined where it does not fit. */
  read(name: string): { values: Value[]; statistic: string } | undefined;
}

const BRACES = /\{([A-Za-z_]\w*)(?:=([^{}]+))?\}/g;
const STATISTIC = "(_(?:mean|min|p05|p25|p50|p95|sd|n))?";

/** Whether a metric is asked for by a pattern, so that each of its parts is a setting that runs differ in. */
export function isPattern(metric: string): boolean {
  return metric.search(BRACES) >= 0;
}

/** A study may have thousands of names to hold against a few patterns. */
const parsed = new Map<string, MetricPattern>();

export function parsePattern(text: string): MetricPattern {
  const known = parsed.get(text) ?? parse(text);
  parsed.set(text, known);
  return known;
}

function parse(text: string): MetricPattern {
  const found = [...text.matchAll(BRACES)];
  let source = "";
  let end = 0;
  for (const match of found) {
    const words = match[2] === undefined ? "[^.]+?" : match[2].split("|").map(literal).join("|");
    source += `${literal(text.slice(end, match.index))}(${words})`;
    end = match.index + match[0].length;
  }
  const whole = new RegExp(`^${source}${literal(text.slice(end))}${STATISTIC}$`);
  return {
    parts: found.map(([, name]) => name!),
    stem: text
      .replaceAll(BRACES, ".")
      .split(".")
      .map((piece) => piece.replaceAll(/^[_/-]+|[_/-]+$/g, ""))
      .reduce((longest, piece) => (piece.length > longest.length ? piece : longest)),
    read(name) {
      const groups = whole.exec(name);
      if (!groups) return undefined;
      return { values: groups.slice(1, -1).map((word) => partValue(word!)), statistic: groups.at(-1) ?? "" };
    },
  };
}

function literal(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}

function partValue(word: string): Value {
  return /^-?\d+(\.\d+)?$/.test(word) ? Number(word) : word;
}
