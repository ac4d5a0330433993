import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, mkdirSync } from "node:fs";
import { connect } from "node:net";
import { dirname } from "node:path";
import { durationText } from "../../core/number-text.ts";
import type { Redactor } from "../../core/redact.ts";
import { type Readiness, type ServiceRef, serviceName } from "../../core/service.ts";
import { sleep, startTimer } from "../../host/clock.ts";
import { hasProcess, readStat } from "../../host/processes.ts";

/** How often somebody looks whether it is ready. */
const LOOK_MS = 25;
/** How long one that was ready may take to answer. */
const ANSWER_MS = 2000;
/** How long what it printed last may take to arrive. */
const LAST_WORDS_MS = 500;
const ENDED = "ended by itself";

/**
 * Becomes the program, and leaves behind what ends its whole group as soon as its standard input does: when the one who
 * started it goes, however that goes, nothing stays.
 */
const GUARDED = `exec 3<&0
( trap "" TERM INT HUP; cat <&3; kill -KILL 0 ) >/dev/null 2>&1 &
exec 3<&-
exec "$@" </dev/null`;

export interface ServiceStart {
  ref: Pick<ServiceRef, "name" | "ready" | "readyMs">;
  argv: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  port: number;
  /** What it prints is appended to this file, up to so many bytes. */
  logPath: string;
  logBytes: number;
  redactor: Redactor;
}

/** One process of a service, from its start to its end. */
export class Service {
  readonly port: number;
  readonly #start: ServiceStart;
  readonly #process: ChildProcess;
  readonly #listeners = new Set<(why: string) => void>();
  readonly #exited: Promise<void>;
  #written = 0;
  #rest = "";
  #lastWords = "";
  #hasSaid = false;
  #end: string | undefined;

  constructor(start: ServiceStart) {
    this.#start = start;
    this.port = start.port;
    mkdirSync(dirname(start.logPath), { recursive: true });
    const { argv, cwd, env } = start;
    this.#process = spawn("/bin/sh", ["-c", GUARDED, "sh", ...argv], {
      cwd,
      env,
      detached: true,
      stdio: "pipe",
    });
    const { stdin, stdout, stderr } = this.#process;
    stdin?.on("error", () => {});
    for (const stream of [stdout, stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => this.#hear(text));
    this.#exited = new Promise((resolve) => {
      const tell = () => {
        resolve();
        for (const listener of this.#listeners) listener(this.problem!);
        this.#listeners.clear();
      };
      this.#process.on("error", ({ message }) => {
        this.#end = `could not be started (${message})`;
        tell();
      });
      this.#process.on("exit", (code, signal) => {
        if (this.#end === undefined || this.#end === ENDED)
          this.#end = `${ENDED} (${signal ?? `exit ${code}`})`;
        // What it has started ends with it, and its last words come.
        stdin?.destroy();
        startTimer(LAST_WORDS_MS, tell);
      });
      this.#process.on("close", tell);
    });
  }

  /** Why it can't be used any more; undefined while it can. */
  get problem(): string | undefined {
    // The news of its end may still be on their way.
    const { pid } = this.#process;
    if (this.#end === undefined && (pid === undefined || !hasProcess(pid) || readStat(pid)?.isDead))
      this.#end = ENDED;
    return this.#end === undefined ? undefined : this.#explain(this.#end);
  }

  /** The same, with its last words. */
  async failure(): Promise<string | undefined> {
    if (this.problem !== undefined) await this.#exited;
    return this.problem;
  }

  /** Tells when it ends by itself; what comes back stops the telling. */
  onEnd(listener: (why: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Waits until it can be used; gives why it can't. */
  async untilReady(signal: AbortSignal): Promise<string | undefined> {
    const { readyMs } = this.#start.ref;
    const deadline = performance.now() + readyMs;
    for (;;) {
      if (this.problem !== undefined) return this.failure();
      if (await this.#isReady(Math.max(LOOK_MS, deadline - performance.now()))) return this.failure();
      if (signal.aborted) return "interrupted";
      if (performance.now() > deadline)
        return this.#explain(`was not ready after ${durationText(readyMs)}: ${this.#wanted()}`);
      await sleep(LOOK_MS, { signal });
    }
  }

  /** Whether one that was ready still answers; one that only said so once can't be asked. */
  async stillAnswers(): Promise<boolean> {
    return this.problem === undefined && this.#isReady(ANSWER_MS);
  }

  /** Why one that does not answer can't be used. */
  get silence(): string {
    return this.problem ?? this.#explain(`no longer answers: ${this.#wanted()}`);
  }

  /** TERM, and after its grace KILL, to all of its group. */
  async stop(graceMs: number): Promise<void> {
    this.#end ??= "was stopped";
    this.#listeners.clear();
    this.#signal("SIGTERM");
    const kill = startTimer(graceMs, () => this.#signal("SIGKILL"));
    await this.#exited;
    kill();
    this.#process.stdin?.destroy();
  }

  #signal(signal: NodeJS.Signals): void {
    try {
      if (this.#process.pid !== undefined) process.kill(-this.#process.pid, signal);
    } catch {
      // It is gone.
    }
  }

  #isReady(withinMs: number): Promise<boolean> | boolean {
    const { ready } = this.#start.ref;
    if (ready.kind === "line") return this.#hasSaid;
    if (ready.kind === "port") return listens(ready.port ?? this.port, Math.min(withinMs, ANSWER_MS));
    return answers(ready.url.replaceAll("${port}", String(this.port)), Math.min(withinMs, ANSWER_MS));
  }

  #wanted(): string {
    return describeReadiness(this.#start.ref.ready, this.port);
  }

  #explain(what: string): string {
    const last = this.#lastWords === "" ? "" : `: ${this.#lastWords}`;
    return `${serviceName(this.#start.ref)} ${what}${last}`;
  }

  #hear(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop()!;
    const { ref, redactor, logPath, logBytes } = this.#start;
    for (const line of lines) {
      if (ref.ready.kind === "line") this.#hasSaid ||= new RegExp(ref.ready.pattern).test(line);
      if (line.trim() !== "") this.#lastWords = redactor.text(line.trim()).slice(0, 300);
    }
    if (lines.length === 0 || this.#written > logBytes) return;
    const kept = lines.map((line) => `${redactor.text(line)}\n`).join("");
    this.#written += kept.length;
    try {
      appendFileSync(logPath, kept);
    } catch {
      // A full disk shows in the journal, which stops the study.
    }
  }
}

/** What a service was expected to do. */
function describeReadiness(ready: Readiness, port: number): string {
  if (ready.kind === "line") return `it printed no line that fits ${ready.pattern}`;
  if (ready.kind === "http")
    return `${ready.url.replaceAll("${port}", String(port))} did not answer with success`;
  return `nothing listens on port ${ready.port ?? port}`;
}

/** Whether somebody listens on a port of this machine. */
export function listens(port: number, withinMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port });
    const end = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.setTimeout(withinMs, () => end(false));
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
  });
}

async function answers(url: string, withinMs: number): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(withinMs), redirect: "manual" });
    await response.body?.cancel();
    return response.status < 400;
  } catch {
    return false;
  }
}
