import { TRIMS } from "../analysis/compare/centre.ts";
import { type Compared, compareArms } from "../analysis/compare/compare-arms.ts";
import { UserError } from "../core/errors.ts";
import type { Params } from "../core/params.ts";
import { RandomStream } from "../core/random.ts";
import type { Warning } from "../core/warning.ts";
import type { ArmSet } from "../design/arm-set.ts";
import { isBusy } from "../design/statistic.ts";
import { watchMachine } from "../executors/iterations/machine-load.ts";
import { noiseWarnings } from "../executors/iterations/noise-warnings.ts";
import { Launcher } from "../executors/launcher.ts";
import { trimmedDifference } from "../stats/index.ts";
import { moments } from "../stats/summaries/moments.ts";
import { quantileOfSorted } from "../stats/summaries/quantiles.ts";
import { CommandWatch } from "./command-watch.ts";

/** One command line that is timed, with the values that stand in it. */
export interface TimedCommand {
  line: string;
  params: Params;
}

export interface TimeOptions {
  /** Before each timed run, after all runs of a command, once before all runs. */
  prepare?: string;
  cleanup?: string;
  setup?: string;
  warmup: number;
  /** Exactly so many of each; else at least ten, and as many as fill `timeMs`. */
  runs?: number;
  timeMs: number;
  /** Runs the line; null splits it into words and starts the program itself. */
  shell: string | null;
  ignoreFailure: boolean;
  seed: number;
  onRound?(round: number): void;
  signal?: AbortSignal;
}

/** What the runs of one command gave, in seconds. */
export interface Timed extends TimedCommand {
  times: number[];
  /** Processor time of each run, user and system together; null where the machine has no bash to count it. */
  cpuTimes: number[] | null;
  exitCodes: (number | null)[];
  mean: number;
  stddev: number | null;
  median: number;
  min: number;
  max: number;
  /** Means over all runs; the kernel counts hundredths of a second. */
  user: number | null;
  system: number | null;
}

export interface TimedCommands {
  commands: Timed[];
  /** What the shell itself takes, which is taken off each time. */
  shellSeconds: number;
  compared: Compared | null;
  /** What is compared: processor time where all commands compute nearly all the time, since a busy machine adds less to it. */
  by: "cpu" | "clock";
  warnings: Warning[];
}

const FEWEST_RUNS = 10;
/** An interval that reaches further than this share to either side takes more rounds, up to so many times as many. */
const PRECISE = { share: 0.02, mostTimes: 3 };
/** A busy machine may make it take so many times as long as asked for. */
const MOST_PATIENCE = 5;
/** Processor time is counted in milliseconds. */
const LEAST_CPU_SECONDS = 0.01;

/**
 * Times commands in rounds: each has its turn in every round, in an order that is drawn anew, so that a machine that
 * slows down meanwhile slows down all of them alike. Rounds pair the commands.
 */
export async function timeCommands(
  commands: readonly TimedCommand[],
  options: TimeOptions,
): Promise<TimedCommands> {
  const launcher = new Launcher(process.cwd(), process.env, { isCounting: true });
  const stop = () => launcher.kill();
  options.signal?.addEventListener("abort", stop);
  const warnings: Warning[] = [];
  try {
    const stopwatch = new CommandWatch(launcher, options);
    const shell = options.shell === null ? { seconds: 0, cpuSeconds: 0 } : await stopwatch.calibrate();
    const runs = commands.map(
      (): Runs => ({ times: [], cpu: [], waiting: [], exitCodes: [], user: 0, system: 0 }),
    );
    if (options.setup !== undefined) await stopwatch.must(options.setup, "--setup");
    for (const { line } of commands)
      for (let i = 0; i < options.warmup; i++) {
        if (options.prepare !== undefined) await stopwatch.must(options.prepare, "--prepare");
        await stopwatch.time(line);
      }
    const endLoad = watchMachine(
      (text) => warnings.push({ kind: "busy-machine", level: "warn", text }),
      () => stopwatch.claimedSeconds(),
    );
    const stream = new RandomStream(options.seed, "order of commands").sequence();
    const startedAt = performance.now();
    let queuedMs = 0;
    const spentMs = () => {
      const elapsedMs = performance.now() - startedAt;
      // On a busy machine it may take longer, so that there are as many runs; up to a point.
      return Math.max(elapsedMs / MOST_PATIENCE, elapsedMs - queuedMs);
    };
    const plan = new RoundPlan(options, commands.length);
    for (let round = 0; !plan.isDone(round, spentMs(), runs); round++) {
      for (const at of shuffled(commands.length, stream)) {
        if (options.prepare !== undefined) await stopwatch.must(options.prepare, "--prepare");
        const one = await stopwatch.time(commands[at]!.line);
        const own = runs[at]!;
        own.times.push(Math.max(0, one.seconds - shell.seconds));
        own.exitCodes.push(one.code);
        own.user += one.user;
        own.system += one.system;
        if (one.cpuSeconds !== undefined) own.cpu.push(Math.max(0, one.cpuSeconds - shell.cpuSeconds));
        if (one.waitingShare === undefined) continue;
        own.waiting.push(one.waitingShare);
        if (one.cpuSeconds !== undefined)
          queuedMs += 1000 * Math.max(0, (1 - Math.max(0, one.waitingShare)) * one.seconds - one.cpuSeconds);
      }
      options.onRound?.(round + 1);
    }
    endLoad();
    if (options.cleanup !== undefined)
      for (let i = 0; i < commands.length; i++) await stopwatch.must(options.cleanup, "--cleanup");
    const timed = commands.map((command, i) => summarise(command, runs[i]!));
    const by = runs.every(isCounted) ? "cpu" : "clock";
    return {
      commands: timed,
      shellSeconds: shell.seconds,
      by,
      compared: comparison(timed, by, plan.pilot),
      warnings: [...warnings, ...timed.flatMap(noiseOf)],
    };
  } finally {
    options.signal?.removeEventListener("abort", stop);
    launcher.close();
  }
}

/** What the runs of one command gave, as they come. */
interface Runs {
  times: number[];
  cpu: number[];
  waiting: number[];
  exitCodes: (number | null)[];
  user: number;
  system: number;
}

/** Whether processor time may stand for a command's time: it was counted, is long enough, and it hardly ever waits. */
function isCounted({ times, cpu, waiting }: Runs): boolean {
  if (cpu.length < times.length || waiting.length === 0) return false;
  const middle = (values: number[]) => quantileOfSorted(Float64Array.from(values).sort(), 0.5);
  return middle(cpu) >= LEAST_CPU_SECONDS && isBusy(middle(waiting));
}

/**
 * How many rounds there are. Those of the time that was asked for say how many more it takes to be precise, once: a rule that
 * stopped as soon as it looked precise would stop where the spread looks small by chance, and claim differences too often.
 */
class RoundPlan {
  /** The rounds that said it. */
  pilot: number | undefined;
  private wanted: number | undefined;

  constructor(
    private readonly options: TimeOptions,
    private readonly commands: number,
  ) {
    this.wanted = options.runs;
  }

  isDone(rounds: number, spentMs: number, runs: readonly Runs[]): boolean {
    const { signal, timeMs } = this.options;
    if (signal?.aborted) throw new UserError("interrupted");
    if (this.wanted === undefined) {
      if (rounds < FEWEST_RUNS || spentMs < timeMs * this.commands) return false;
      this.pilot = rounds;
      this.wanted = rounds * Math.min(PRECISE.mostTimes, roundsMore(runs));
    }
    const isLate = this.pilot !== undefined && spentMs >= PRECISE.mostTimes * timeMs * this.commands;
    return rounds >= this.wanted || isLate;
  }
}

/** How many times as many rounds it takes until each command's ratio to the first is known well. */
function roundsMore([first, ...others]: readonly Runs[]): number {
  const by = [first!, ...others].every(isCounted) ? "cpu" : "times";
  const logs = (runs: Runs) => runs[by].map(Math.log);
  const widths = others.map((other) => {
    const ratio = trimmedDifference(logs(other), logs(first!), { isPaired: true, trim: TRIMS.middle });
    return ratio.known ? (ratio.high - ratio.low) / 2 : 0;
  });
  return Math.max(1, ...widths.map((width) => (width / PRECISE.share) ** 2));
}

function shuffled(count: number, next: () => number): number[] {
  const order = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}

function summarise(command: TimedCommand, { times, cpu, exitCodes, user, system }: Runs): Timed {
  const sorted = Float64Array.from(times).sort();
  const { mean, variance } = moments(times);
  const isKnown = process.platform === "linux";
  return {
    ...command,
    ...{ times, exitCodes, mean, stddev: times.length < 2 ? null : Math.sqrt(variance) },
    ...{ median: quantileOfSorted(sorted, 0.5), min: sorted[0]!, max: sorted.at(-1)! },
    cpuTimes: cpu.length === times.length ? cpu : null,
    user: isKnown ? user / times.length : null,
    system: isKnown ? system / times.length : null,
  };
}

/** What the times of a command say about the machine. */
export function noiseOf({ line, times }: Pick<Timed, "line" | "times">): Warning[] {
  return noiseWarnings(times).map((text) => ({
    kind: "noise",
    level: "warn",
    text: `${line}: ${text.replace("iterations.warmup", "--warmup").replaceAll("iteration", "run")}`,
  }));
}

/** Compares the commands round by round: the middle half of the rounds, since a slow run is mostly the machine's. */
function comparison(timed: readonly Timed[], by: TimedCommands["by"], pilot?: number): Compared | null {
  if (timed.length < 2) return null;
  const set: ArmSet = {
    metric: by === "cpu" ? "cpu_s" : "time_s",
    part: null,
    arms: timed.map(({ line, ...own }) => ({
      name: line,
      observations: (by === "cpu" ? own.cpuTimes! : own.times).map((value, round) => ({
        ...{ id: `${line} ${round}`, value, unit: String(round) },
      })),
    })),
    ...{ keys: ["round"], noun: "round", hasRollouts: true, isAsked: false },
    ...{ goal: "minimize", range: [0, Number.POSITIVE_INFINITY], scale: "ratio" },
    isLeastTime: by === "cpu",
    ...(timed[0]!.times.length >= FEWEST_RUNS && { centre: "middle" as const, pilot }),
  };
  return compareArms([set], {});
}

/** What `hyperfine --export-json` writes, so that whatever reads that can read this. */
export function hyperfineExport({ commands }: TimedCommands): unknown {
  return {
    results: commands.map(({ line, params, exitCodes, cpuTimes: _, ...numbers }) => ({
      command: line,
      ...numbers,
      exit_codes: exitCodes,
      ...(Object.keys(params).length > 0 && { parameters: params }),
    })),
  };
}
