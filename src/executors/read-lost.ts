import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import type { EarlierAttempt } from "../core/run.ts";
import { RUN_FILES, SPENT_FILE } from "../core/study-folder.ts";
import { readJsonIfAny, replaceFile } from "../host/files.ts";
import { kindAt } from "../host/held.ts";

/** After these a run has a result: what comes then is measured anew. */
const RESULTS = ["ok", "stopped"];
const HAS_STEP = /"_?step"\s*:\s*-?\d/;

/** A try that was killed, and the folder that it left. */
export interface Lost {
  dir: string;
  attempt: EarlierAttempt;
}

/** Those among the earlier tries of a run that were killed and that nobody has told of; `lastSeenMs` is of the newest. */
export function findLost(earlierDir: string, lastSeenMs?: number): Lost[] {
  const last = lastNumber(earlierDir);
  return Array.from({ length: last }, (_, i) => `${earlierDir}/${i + 1}`).flatMap((dir, i) => {
    const attempt = readLost(dir, i === last - 1 ? lastSeenMs : undefined);
    return attempt ? [{ dir, attempt }] : [];
  });
}

/** So that nobody tells of it again. */
export function markLost(dir: string): void {
  const path = `${dir}/${RUN_FILES.meta}`;
  const meta = { ...readForeign<object>(path), status: "killed" };
  replaceFile(path, `${JSON.stringify(meta, null, 2)}\n`, { isDurable: false });
}

/**
 * What is known of a try that was killed: its folder says that it runs, or nothing yet. It was alive until it, or who
 * ran it (`lastSeenMs`), last wrote something; what it had cost by then is in `out/spent.json`, or in the metrics that
 * it had left. Undefined where the try ended by itself, or never began.
 */
export function readLost(dir: string, lastSeenMs = 0): EarlierAttempt | undefined {
  const meta = readForeign<{ status?: string; start_time_unix_s?: number }>(`${dir}/${RUN_FILES.meta}`);
  const written = [RUN_FILES.stdout, RUN_FILES.stderr, RUN_FILES.series].map((name) => `${dir}/${name}`);
  const isBegun = meta !== undefined || timesOf(written[0]!) !== undefined;
  if (!isBegun || (meta?.status !== undefined && meta.status !== "running")) return undefined;
  const times = [...written, ...filesIn(`${dir}/${RUN_FILES.out}`)].flatMap((path) => timesOf(path) ?? []);
  const startedMs =
    meta?.start_time_unix_s === undefined ? bornMs(dir, times) : meta.start_time_unix_s * 1000;
  const endedMs = Math.max(lastSeenMs, ...times.map(({ mtimeMs }) => mtimeMs));
  const costUsd = costOf(`${dir}/${RUN_FILES.out}`);
  const lost = { reason: "it was killed", wallMs: Math.max(0, endedMs - startedMs) };
  return costUsd === undefined ? lost : { ...lost, costUsd };
}

/** Not every file system knows when a file was made. */
function bornMs(dir: string, times: { birthtimeMs: number; mtimeMs: number }[]): number {
  const known = [timesOf(dir), ...times].flatMap((one) => (one ? one.birthtimeMs || one.mtimeMs : []));
  return Math.min(...known);
}

function costOf(outDir: string): number | undefined {
  const spent = readForeign<{ costUsd?: unknown }>(`${outDir}/${SPENT_FILE}`)?.costUsd;
  const told = spent ?? readForeign<{ cost_usd?: unknown }>(`${outDir}/metrics.json`)?.cost_usd;
  return typeof told === "number" && told >= 0 ? told : undefined;
}

/** Whatever a run left there: what is no JSON says nothing. */
function readForeign<T>(path: string): T | undefined {
  return readJsonIfAny<T | null>(path, { isForeign: true }) ?? undefined;
}

function filesIn(dir: string): string[] {
  try {
    return readdirSync(dir).map((name) => `${dir}/${name}`);
  } catch {
    return [];
  }
}

function timesOf(path: string): { birthtimeMs: number; mtimeMs: number } | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The highest of the numbers that name what a folder holds; 0 where there is none. */
export function lastNumber(dir: string): number {
  if (kindAt(dir) !== "a folder") return 0;
  return Math.max(0, ...readdirSync(dir).map(Number).filter(Number.isInteger));
}

/** Whether the attempt that a folder is about has not said how it ended. */
export function isUnfinished(dir: string): boolean {
  const meta = readJsonIfAny<{ status: string } | null>(`${dir}/${RUN_FILES.meta}`, { isForeign: true });
  return meta?.status === undefined || meta.status === "running";
}

/**
 * A try that goes on where an earlier one was cut off has its steps, too, so that a curve is whole and a rule that stops
 * runs early compares like with like. A program that begins again at the first step replaces them as it goes, since a
 * step that comes again replaces what came after it. Values without a step can't be told apart, so they are inherited
 * only where the program has left a state to resume from.
 */
export function inheritSeries(path: string, earlierDir: string, isResumed: boolean): void {
  const before = `${earlierDir}/${RUN_FILES.series}`;
  if (existsSync(path) || kindAt(before) !== "a file") return;
  const meta = readJsonIfAny<{ status?: string } | null>(`${earlierDir}/${RUN_FILES.meta}`, {
    isForeign: true,
  });
  const status = meta?.status ?? "";
  // A program that failed by itself begins anew, unless it left a state.
  if (RESULTS.includes(status) || (status === "failed" && !isResumed)) return;
  // What follows the last newline was torn by a kill.
  const lines = readFileSync(before, "utf8").split("\n").slice(0, -1);
  const kept = isResumed ? lines : lines.filter((line) => HAS_STEP.test(line));
  if (kept.length > 0) writeFileSync(path, `${kept.join("\n")}\n`);
}
