import { readFileSync } from "node:fs";
import { splitWords } from "../core/command-line.ts";
import { UserError } from "../core/errors.ts";
import type { Launcher } from "../executors/launcher.ts";
import { moments } from "../stats/summaries/moments.ts";
import { findProgram } from "../targets/command/find-program.ts";

const CALIBRATIONS = 20;

interface WatchOptions {
  /** Runs the line; null splits it into words and starts the program itself. */
  shell: string | null;
  ignoreFailure: boolean;
  signal?: AbortSignal;
}

interface OneRun {
  seconds: number;
  code: number | null;
  user: number;
  system: number;
  cpuSeconds: number | undefined;
  waitingShare: number | undefined;
}

/** Starts command lines one by one, and reads what they took. */
export class CommandWatch {
  readonly #launcher: Launcher;
  readonly #options: WatchOptions;

  constructor(launcher: Launcher, options: WatchOptions) {
    this.#launcher = launcher;
    this.#options = options;
  }

  async time(line: string): Promise<OneRun> {
    const argv = this.#words(line, this.#options.shell);
    const pid = this.#launcher.ready();
    const before = childrenTimes(pid);
    const start = process.hrtime.bigint();
    const exit = await this.#launcher.launch({ argv, env: {}, stdout: "/dev/null", stderr: "/dev/null" });
    const elapsed = Number(process.hrtime.bigint() - start) / 1e9;
    const after = childrenTimes(pid);
    if (this.#options.signal?.aborted) throw new UserError("interrupted");
    const { code, cpuMs, waitingShare, wallMs = Number.POSITIVE_INFINITY } = exit;
    if (code !== 0 && !this.#options.ignoreFailure)
      throw new UserError(`"${line}" ended with exit code ${code ?? "unknown"}`, {
        remedy: "Run it by hand to see why, or time it all the same with --ignore-failure.",
      });
    const [user, system] = [after.user - before.user, after.system - before.system];
    return {
      seconds: Math.min(elapsed, wallMs / 1000),
      code,
      user,
      system,
      waitingShare,
      cpuSeconds: cpuMs === undefined ? undefined : cpuMs / 1000,
    };
  }

  /** A command line around the timed ones, which has to succeed. */
  async must(line: string, option: string): Promise<void> {
    const argv = this.#words(line, this.#options.shell ?? "sh");
    const { code } = await this.#launcher.launch({ argv, env: {}, stdout: "/dev/null", stderr: "/dev/null" });
    if (code !== 0) throw new UserError(`${option} "${line}" ended with exit code ${code ?? "unknown"}`);
  }

  /** What an empty line takes at least: more would take off what a busy machine added, and not the shell. */
  async calibrate(): Promise<{ seconds: number; cpuSeconds: number }> {
    const runs: OneRun[] = [];
    for (let i = 0; i < CALIBRATIONS; i++) runs.push(await this.time(""));
    const cpu = runs.map(({ cpuSeconds = 0 }) => cpuSeconds).sort((a, b) => a - b);
    // Counted in milliseconds, a single one is mostly 1 or 2: the mean of the lower half is the shell's own.
    const lower = cpu.slice(0, CALIBRATIONS / 2);
    return { seconds: Math.min(...runs.map(({ seconds }) => seconds)), cpuSeconds: moments(lower).mean };
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

/** The words of a line in which nothing has a meaning that only a shell understands; within quotes, few things have. */
function splitPlain(line: string): string[] {
  const unescaped = line.replaceAll(/'[^']*'|\\./g, "");
  const bare = unescaped.replaceAll(/"[^"]*"/g, "");
  if (line.trim() === "" || /[$`]/.test(unescaped) || /[|;&<>*?]/.test(bare))
    throw new UserError(`"${line}" needs a shell`, { remedy: "Leave --shell none out." });
  return splitWords(line);
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
