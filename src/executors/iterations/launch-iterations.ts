import type { Setting } from "../../core/executor.ts";
import { type Attempt, failed, type Metrics, type Outcome } from "../../core/run.ts";
import type { Measured } from "../../instruments/instrument.ts";
import { median } from "../../stats/summaries/quantiles.ts";
import type { readResults } from "../read-results.ts";
import { describeIterations } from "./describe-iterations.ts";
import { Enough } from "./enough.ts";
import { IterationLog } from "./iteration-log.ts";
import { watchMachine } from "./machine-load.ts";

/** How one launch of a program went. */
export interface Launched {
  outcome: Outcome;
  startedAtMs: number;
  wallMs: number;
  measured?: Measured;
  warnings?: string[];
  /** What the launcher counted, where it does. */
  cpuMs?: number | undefined;
  waitingShare?: number | undefined;
}

interface Launches {
  setting: Setting;
  isTimed: boolean;
  launch(iteration: number): Promise<Launched>;
  read(): ReturnType<typeof readResults>;
  /** Takes away what `read` would read of the launch before. */
  clear(): void;
  /** Processor time of the program and what it started, up to now. */
  ownSeconds(): number;
}

/** A run of a program with iterations: each one is a launch. The run ends with the first that fails. */
export async function launchIterations(launches: Launches): Promise<Attempt> {
  const { warmup } = launches.setting.iterations;
  const warnings = new Set<string>();
  const warn = (text: string) => void warnings.add(text);
  const log = new IterationLog(warmup, null, warn);
  const meanOnly = new Set<string>();
  const shares: number[] = [];
  let attempt: Attempt | undefined;
  let endLoad = () => {};
  let enough = new Enough(launches.setting.iterations);
  for (let iteration = -warmup; iteration < 0 || !enough.has(log.values.durationMs); iteration++) {
    launches.clear();
    if (iteration === 0) {
      endLoad = watchMachine(warn, launches.ownSeconds);
      enough = new Enough(launches.setting.iterations);
    }
    const launched = await launches.launch(iteration);
    const { outcome: ended, startedAtMs, wallMs, measured: ofLaunch = {}, warnings: own = [] } = launched;
    // What a warm-up cost, or one that failed, was spent, too.
    const results = launches.read();
    const outcome = unlessUnread(ended, results.problem);
    log.spend(results.metrics);
    attempt ??= { outcome, metrics: {}, startedAtMs, wallMs: 0 };
    attempt.wallMs += wallMs;
    attempt.outcome = outcome;
    for (const text of own) warn(text);
    if (log.costUsd !== undefined) attempt.costUsd = log.costUsd;
    if (["cancelled", "stopped"].includes(outcome.status)) return attempt;
    if (outcome.status !== "ok") {
      attempt.outcome = placed(outcome, iteration, launches.setting);
      if (iteration >= 0) log.values.failure = { index: iteration, reason: outcome.reason ?? outcome.status };
      break;
    }
    if (iteration < 0) continue;
    for (const text of results.warnings) warn(text);
    if (Object.keys(results.labels).length > 0) attempt.labels = results.labels;
    for (const name in ofLaunch) meanOnly.add(name);
    if (launched.cpuMs !== undefined) log.addCpu(launched.cpuMs);
    if (launched.waitingShare !== undefined) shares.push(launched.waitingShare);
    log.add(wallMs, { ...results.metrics, ...ofLaunch });
  }
  endLoad();
  const waiting = median(shares);
  if (waiting.known) log.values.waitingShare = waiting.value;
  attempt!.metrics = describeIterations(log.values, { isTimed: launches.isTimed, meanOnly, warn });
  attempt!.iterations = log.values;
  if (warnings.size > 0) attempt!.warnings = [...warnings];
  return attempt!;
}

/** A launch that went well and gave no number that anybody could read has failed, by nobody's fault but the reader's. */
export function unlessUnread(outcome: Outcome, problem: string | undefined): Outcome {
  if (problem === undefined || outcome.status !== "ok") return outcome;
  return failed("grader", problem, outcome.exitCode);
}

/** A failure with the iteration that it happened in. */
function placed(outcome: Outcome, iteration: number, { iterations }: Setting): Outcome {
  const { warmup, measured } = iterations;
  if (outcome.status !== "failed" || warmup + measured === 1) return outcome;
  const where =
    iteration < 0
      ? `warm-up iteration ${iteration + warmup + 1} of ${warmup}`
      : `iteration ${iteration + 1} of ${measured}`;
  return failed(outcome.owner ?? "agent", `${where}: ${outcome.reason}`, outcome.exitCode);
}

/** The times of a program that is launched once. Its own `cpu_ms`, where it tells one, stays. */
export function timesOf({ wallMs, cpuMs, waitingShare }: Launched, own: Metrics): Metrics {
  return {
    duration_ms: wallMs,
    ...(cpuMs !== undefined && !("cpu_ms" in own) && { cpu_ms: cpuMs }),
    ...(waitingShare !== undefined && { waiting_share: waitingShare }),
  };
}
