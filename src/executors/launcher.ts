import { type ChildProcessByStdio, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { shellWord } from "../core/escape.ts";

export interface Launch {
  /** Absolute path of the program, then its arguments. */
  argv: string[];
  env: Record<string, string>;
  stdout: string;
  stderr: string;
}

/** How a launched program ended: its status as a shell tells it (128 + n after signal n), or gone with its group. */
export interface Exit {
  code: number | null;
  /** What the launcher itself had to say, such as that an output file could not be created. */
  message: string;
  /** Processor time of the program and all it started and waited for; absent where nobody counts. */
  cpuMs?: number;
  /** From just before its start to just after its end, by the shell's clock: without the way to the shell and back. */
  wallMs?: number;
  /**
   * The share of its time in which nothing of it ran or waited for a core; below zero where several threads did at
   * once. As seen last, in its second half; absent of a program that was gone before anybody looked.
   */
  waitingShare?: number;
}

/**
 * A persistent small shell that starts one program after the other. Forking Node for each program costs about
 * twice what forking this one-megabyte process does (docs/decisions/launcher.md has the figures). Every word
 * reaches the shell inside single quotes and the program by its absolute path, so nothing is ever interpreted.
 * The launcher leads a session and process group of its own, in which its programs live: signals to the
 * group reach all of them, and a terminal's Ctrl-C none.
 */
export class Launcher {
  readonly #cwd: string;
  readonly #env: NodeJS.ProcessEnv;
  #shell: ChildProcessByStdio<Writable, Readable, null> | undefined;
  readonly #isCounting: boolean;
  #onExit: ((exit: Exit) => void) | undefined;
  #received = "";
  /** Of all programs of this shell so far. */
  #cpuMs = 0;

  /** With `isCounting`, exits tell what programs took; that wants bash, whose `times` counts milliseconds, started with -p, so that it reads nobody's BASH_ENV. */
  constructor(cwd: string, env: NodeJS.ProcessEnv, { isCounting = false }: { isCounting?: boolean } = {}) {
    this.#cwd = cwd;
    this.#env = env;
    this.#isCounting = isCounting && existsSync(BASH);
  }

  get pid(): number | undefined {
    return this.#shell?.pid;
  }

  /** Makes sure that the shell is there, and gives its process. */
  ready(): number | undefined {
    return (this.#shell ?? this.#start()).pid;
  }

  /** Starts a program; one at a time. */
  launch({ argv, env, stdout, stderr }: Launch): Promise<Exit> {
    const shell = this.#shell ?? this.#start();
    const assignments = Object.entries(env).map(([name, value]) => `${name}=${shellWord(value)}`);
    const words = [...assignments, ...argv.map(shellWord)].join(" ");
    const line = `${words} </dev/null >>${shellWord(stdout)} 2>>${shellWord(stderr)}\n`;
    return new Promise((resolve) => {
      if (this.#isCounting) {
        const watch = watchChildren(shell.pid!);
        this.#onExit = (exit) => resolve({ ...exit, ...watch(exit.cpuMs) });
      } else this.#onExit = resolve;
      shell.stdin.write(this.#isCounting ? `${TIMED.before}${line}${TIMED.after}\n` : `${line}echo "#$?"\n`);
    });
  }

  /** Asks the program and what it started to end; the launcher stays. */
  terminate(): void {
    this.#signal("SIGTERM");
  }

  /** Ends the program, what it started in its group, and the shell; the next program gets a new one. */
  kill(): void {
    this.#signal("SIGKILL");
    this.#shell = undefined;
    this.#finish({ code: null, message: "" });
  }

  #signal(signal: "SIGTERM" | "SIGKILL"): void {
    try {
      if (this.#shell?.pid !== undefined) process.kill(-this.#shell.pid, signal);
    } catch {
      // The group is gone already.
    }
  }

  close(): void {
    this.#shell?.stdin.end();
    this.#shell = undefined;
  }

  #start(): ChildProcessByStdio<Writable, Readable, null> {
    // stderr goes where stdout goes, so that the shell's own complaints precede the status they explain.
    const shell = spawn(this.#isCounting ? BASH : "/bin/sh", this.#isCounting ? ["-p", "-s"] : ["-s"], {
      cwd: this.#cwd,
      env: this.#env,
      detached: true,
      stdio: ["pipe", "pipe", "ignore"],
    });
    this.#shell = shell;
    this.#received = "";
    this.#cpuMs = 0;
    // A trap (rather than ignoring) keeps the launcher alive through TERM while its programs get the default.
    shell.stdin.write("exec 2>&1\ntrap : TERM\n");
    shell.stdin.on("error", () => {});
    shell.stdout.setEncoding("utf8");
    shell.stdout.on("data", (text: string) => {
      if (this.#shell === shell) this.#receive(text);
    });
    shell.on("error", (error) => this.#gone(shell, error.message));
    shell.on("exit", () => this.#gone(shell, ""));
    return shell;
  }

  #receive(text: string): void {
    this.#received += text;
    const status = /(?:^|\n)#(\d+)(?: ([\d.,]+) ([\d.,]+))?\n$/.exec(this.#received);
    if (!status) return;
    const said = this.#received.slice(0, status.index).trim();
    this.#received = "";
    const times = this.#isCounting ? TIMES.exec(said) : null;
    const exit: Exit = { code: Number(status[1]), message: said.slice(0, times?.index).trim() };
    if (times) {
      const [userMin, userS, systemMin, systemS] = times.slice(1).map(Number) as [
        number,
        number,
        number,
        number,
      ];
      const cpuMs = Math.round((userMin * 60 + userS + systemMin * 60 + systemS) * 1000);
      exit.cpuMs = cpuMs - this.#cpuMs;
      this.#cpuMs = cpuMs;
    }
    const [start, end] = status.slice(2).map((text) => Number((text ?? "").replace(",", ".")));
    // A clock that was set meanwhile may say anything.
    if (end! > start!) exit.wallMs = (end! - start!) * 1000;
    this.#finish(exit);
  }

  #gone(shell: unknown, message: string): void {
    if (this.#shell !== shell) return;
    this.#shell = undefined;
    this.#finish({ code: null, message });
  }

  #finish(exit: Exit): void {
    const onExit = this.#onExit;
    this.#onExit = undefined;
    onExit?.(exit);
  }
}

const BASH = "/bin/bash";
/** Around the line of a program that is timed. A bash before 5 has no such clock and says 0; with some languages it writes a comma. The names are nobody else's. */
const TIMED = {
  before: "_assay_start=${EPOCHREALTIME:-0}\n",
  after:
    '_assay_status=$? _assay_end=${EPOCHREALTIME:-0}; times; echo "#$_assay_status $_assay_start $_assay_end"',
};
/** What `times` prints: user and system time of the shell, then of all it has waited for. */
const TIMES = /(?:^|\n)\d+m[\d.]+s \d+m[\d.]+s\n(\d+)m([\d.]+)s (\d+)m([\d.]+)s$/;
/** The kernel's counts of other processes are up to a tick behind, so the first look comes after a few. */
const FIRST_LOOK_MS = 16;

/** Looks at what a shell runs, each time after twice as long; the end gives what the last look saw. */
function watchChildren(shellPid: number): (cpuMs: number | undefined) => Pick<Exit, "waitingShare"> {
  const start = performance.now();
  let share: number | undefined;
  let timer: NodeJS.Timeout;
  const look = () => {
    const claimedMs = claimedBelow(shellPid);
    const elapsedMs = performance.now() - start;
    if (claimedMs > 0) share = 1 - claimedMs / elapsedMs;
    timer = setTimeout(look, elapsedMs).unref();
  };
  timer = setTimeout(look, FIRST_LOOK_MS).unref();
  return (cpuMs) => {
    clearTimeout(timer);
    // What did not run at all may have waited, for a core or for something else: it can't have waited for longer.
    const most = cpuMs === undefined ? undefined : 1 - cpuMs / (performance.now() - start);
    if (share === undefined) return most !== undefined && most < BARELY ? { waitingShare: most } : {};
    return { waitingShare: most === undefined || share < 0 ? share : Math.min(share, Math.max(0, most)) };
  };
}

const BARELY = 0.1;

/** How long all threads below a process ran and waited for a core. */
function claimedBelow(pid: number): number {
  let total = 0;
  for (const child of textOf(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean)) {
    for (const thread of foldersOf(`/proc/${child}/task`)) {
      const [ranNs = 0, queuedNs = 0] = textOf(`/proc/${child}/task/${thread}/schedstat`)
        .split(" ")
        .map(Number);
      total += (ranNs + queuedNs) / 1e6;
    }
    total += claimedBelow(Number(child));
  }
  return total;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    // It has ended meanwhile, or this is not Linux.
    return "";
  }
}

function foldersOf(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
