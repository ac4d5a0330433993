import { readFileSync } from "node:fs";
import { type Compared, compareArms } from "../analysis/compare/compare-arms.ts";
import { UserError } from "../core/errors.ts";
import type { Params } from "../core/params.ts";
import { RandomStream } from "../core/random.ts";
import type { ArmSet } from "../design/arm-set.ts";
import { watchMachine } from "../executors/iterations/machine-load.ts";
import { noiseWarnings } from "../executors/iterations/noise-warnings.ts";
import { Launcher } from "../executors/launcher.ts";
import { moments } from "../stats/summaries/moments.ts";
import { quantileOfSorted } from "../stats/summaries/quantiles.ts";
import { findProgram } from "../targets/command/find-program.ts";

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
  /** How many neighbouring rounds count as one value, their fastest. */
  blockOf: number;
  warnings: string[];
}

const FEWEST_RUNS = 10;
/** More blocks than this find little more; each block's fastest run is what is compared. */
const BLOCKS = 10;
const CALIBRATIONS = 20;

/**
 * Times commands in rounds: each has its turn in every round, in an order that is drawn anew, so that a machine that
 * slows down meanwhile slows down all of them alike. Rounds pair the commands.
 */
export async function timeCommands(
  commands: readonly TimedCommand[],
  options: TimeOptions,
): Promise<TimedCommands> {
  const launcher = new Launcher(process.cwd(), process.env);
  const stop = () => launcher.kill();
  options.signal?.addEventListener("abort", stop);
  const warnings = new Set<string>();
  try {
    const stopwatch = new CommandWatch(launcher, options);
    const shellSeconds = options.shell === null ? 0 : await stopwatch.calibrate();
    const runs = commands.map(() => ({
      times: [] as number[],
      exitCodes: [] as (number | null)[],
      user: 0,
      system: 0,
    }));
    if (options.setup !== undefined) await stopwatch.must(options.setup, "--setup");
    for (const { line } of commands)
      for (let i = 0; i < options.warmup; i++) {
        if (options.prepare !== undefined) await stopwatch.must(options.prepare, "--prepare");
        await stopwatch.time(line);
      }
    const endLoad = watchMachine(
      (text) => warnings.add(text),
      () => stopwatch.claimedSeconds(),
    );
    const stream = new RandomStream(options.seed, "order of commands").sequence();
    const startedAt = performance.now();
    for (let round = 0; !isEnough(round, performance.now() - startedAt, commands.length, options); round++) {
      for (const at of shuffled(commands.length, stream)) {
        if (options.prepare !== undefined) await stopwatch.must(options.prepare, "--prepare");
        const { seconds, code, user, system } = await stopwatch.time(commands[at]!.line);
        const own = runs[at]!;
        own.times.push(Math.max(0, seconds - shellSeconds));
        own.exitCodes.push(code);
        own.user += user;
        own.system += system;
      }
      options.onRound?.(round + 1);
    }
    endLoad();
    if (options.cleanup !== undefined)
      for (let i = 0; i < commands.length; i++) await stopwatch.must(options.cleanup, "--cleanup");
    const timed = commands.map((command, i) => summarise(command, runs[i]!));
    for (const { line, times } of timed)
      for (const text of noiseWarnings(times))
        warnings.add(
          `${line}: ${text.replace("iterations.warmup", "--warmup").replaceAll("iteration", "run")}`,
        );
    return { commands: timed, shellSeconds, ...comparison(timed), warnings: [...warnings] };
  } finally {
    options.signal?.removeEventListener("abort", stop);
    launcher.close();
  }
}

function isEnough(
  round: number,
  elapsedMs: number,
  commands: number,
  { runs, timeMs, signal }: TimeOptions,
): boolean {
  if (signal?.aborted) throw new UserError("interrupted");
  if (runs !== undefined) return round >= runs;
  return round >= FEWEST_RUNS && elapsedMs >= timeMs * commands;
}

function shuffled(count: number, next: () => number): number[] {
  const order = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}

/** Starts command lines one by one, and reads what they took. */
class CommandWatch {
  readonly #launcher: Launcher;
  readonly #options: TimeOptions;

  constructor(launcher: Launcher, options: TimeOptions) {
    this.#launcher = launcher;
    this.#options = options;
  }

  async time(line: string): Promise<{ seconds: number; code: number | null; user: number; system: number }> {
    const argv = this.#words(line, this.#options.shell);
    const pid = this.#launcher.ready();
    const before = childrenTimes(pid);
    const start = process.hrtime.bigint();
    const { code } = await this.#launcher.launch({ argv, env: {}, stdout: "/dev/null", stderr: "/dev/null" });
    const seconds = Number(process.hrtime.bigint() - start) / 1e9;
    const after = childrenTimes(pid);
    if (this.#options.signal?.aborted) throw new UserError("interrupted");
    if (code !== 0 && !this.#options.ignoreFailure)
      throw new UserError(`"${line}" ended with exit code ${code ?? "unknown"}`, {
        remedy: "Run it by hand to see why, or time it all the same with --ignore-failure.",
      });
    return { seconds, code, user: after.user - before.user, system: after.system - before.system };
  }

  /** A command line around the timed ones, which has to succeed. */
  async must(line: string, option: string): Promise<void> {
    const argv = this.#words(line, this.#options.shell ?? "sh");
    const { code } = await this.#launcher.launch({ argv, env: {}, stdout: "/dev/null", stderr: "/dev/null" });
    if (code !== 0) throw new UserError(`${option} "${line}" ended with exit code ${code ?? "unknown"}`);
  }

  /** What an empty line takes at least: more would take off what a busy machine added, and not the shell. */
  async calibrate(): Promise<number> {
    const times: number[] = [];
    for (let i = 0; i < CALIBRATIONS; i++) times.push((await this.time("")).seconds);
    return Math.min(...times);
  }

  /** Of this process and all that were timed. */
  claimedSeconds(): number {
    const { user, system } = childrenTimes(this.#launcher.pid);
    const own = process.cpuUsage();
    return user + system + (own.user + own.system) / 1e6;
  }

  #words(line: string, shell: string | null): string[] {
    if (shell !== null) return [findProgram(shell, process.cwd()), "-c", line];
    const [program, ...rest] = splitPlain(line);
    return [findProgram(program!, process.cwd()), ...rest];
  }
}

/** Words between spaces, with quotes; what only a shell understands is not allowed. */
function splitPlain(line: string): string[] {
  const words = line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  if (words.length === 0 || /[|;&<>`$*?]/.test(line.replaceAll(/'[^']*'/g, "")))
    throw new UserError(`"${line}" needs a shell`, { remedy: "Leave --shell none out." });
  return words.map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, "$1$2"));
}

/** Processor time of all children that a process has waited for; zero where the kernel does not tell. */
function childrenTimes(pid: number | undefined): { user: number; system: number } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { user: Number(fields[13]) / 100, system: Number(fields[14]) / 100 };
  } catch {
    return { user: 0, system: 0 };
  }
}

function summarise(
  command: TimedCommand,
  {
    times,
    exitCodes,
    user,
    system,
  }: { times: number[]; exitCodes: (number | null)[]; user: number; system: number },
): Timed {
  const sorted = Float64Array.from(times).sort();
  const { mean, variance } = moments(times);
  const isKnown = process.platform === "linux";
  return {
    ...command,
    ...{ times, exitCodes, mean, stddev: times.length < 2 ? null : Math.sqrt(variance) },
    ...{ median: quantileOfSorted(sorted, 0.5), min: sorted[0]!, max: sorted.at(-1)! },
    user: isKnown ? user / times.length : null,
    system: isKnown ? system / times.length : null,
  };
}

/**
 * Compares the commands round by round. Of many rounds, neighbours are taken together and the fastest run of each command
 * among them counts, since what else the machine does can only add to it.
 */
function comparison(timed: readonly Timed[]): Pick<TimedCommands, "compared" | "blockOf"> {
  const rounds = Math.min(...timed.map(({ times }) => times.length));
  const blockOf = Math.max(1, Math.floor(rounds / BLOCKS));
  if (timed.length < 2) return { compared: null, blockOf };
  const blocks = Math.floor(rounds / blockOf);
  const set: ArmSet = {
    metric: "time_s",
    part: null,
    arms: timed.map(({ line, times }) => ({
      name: line,
      observations: Array.from({ length: blocks }, (_, block) => ({
        id: `${line} ${block}`,
        value: Math.min(...times.slice(block * blockOf, (block + 1) * blockOf)),
        unit: String(block),
      })),
    })),
    ...{ keys: ["round"], noun: "round", hasRollouts: true, isAsked: false },
    ...{ goal: "minimize", range: [0, Number.POSITIVE_INFINITY], scale: "ratio" },
  };
  return { compared: compareArms([set], {}), blockOf };
}

/** What `hyperfine --export-json` writes, so that whatever reads that can read this. */
export function hyperfineExport({ commands }: TimedCommands): unknown {
  return {
    results: commands.map(({ line, params, exitCodes, ...numbers }) => ({
      command: line,
      ...numbers,
      exit_codes: exitCodes,
      ...(Object.keys(params).length > 0 && { parameters: params }),
    })),
  };
}
