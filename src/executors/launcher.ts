import { type ChildProcessByStdio, spawn } from "node:child_process";
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
  #onExit: ((exit: Exit) => void) | undefined;
  #received = "";

  constructor(cwd: string, env: NodeJS.ProcessEnv) {
    this.#cwd = cwd;
    this.#env = env;
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
    return new Promise((resolve) => {
      this.#onExit = resolve;
      shell.stdin.write(`${words} </dev/null >>${shellWord(stdout)} 2>>${shellWord(stderr)}\necho "#$?"\n`);
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
    const shell = spawn("/bin/sh", ["-s"], {
      cwd: this.#cwd,
      env: this.#env,
      detached: true,
      stdio: ["pipe", "pipe", "ignore"],
    });
    this.#shell = shell;
    this.#received = "";
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
    const status = /(?:^|\n)#(\d+)\n$/.exec(this.#received);
    if (!status) return;
    const message = this.#received.slice(0, status.index).trim();
    this.#received = "";
    this.#finish({ code: Number(status[1]), message });
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
