import { type ChildProcessByStdio, spawn } from "node:child_process";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import { startTimer } from "../../host/clock.ts";

/** What a program answers to a run: `{"id": ..., "metrics": {...}}` or `{"id": ..., "error": "..."}`. */
interface Answer {
  id: string;
  metrics?: unknown;
  error?: unknown;
}

/** How a request ended: with an answer, or with the end of the process. */
export type Reply =
  | { answer: Answer; printed: Printed }
  | { code: number | null; message: string; isLate: boolean; printed: Printed };

/** What a program wrote between a request and its answer, each capped. */
export interface Printed {
  stdout: string;
  stderr: string;
}

interface Request {
  id: string;
  printed: Printed;
  isLate: boolean;
  stopTimers: (() => void)[];
  resolve(reply: Reply): void;
}

interface Place {
  argv: readonly [string, ...string[]];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Of each of stdout and stderr of one run. */
  mostBytes: number;
}

/**
 * A program that answers one run after the other: a JSON line in, a JSON line out. Whatever else it prints belongs to the
 * run that it has. It leads a process group of its own, so that what it starts ends with it.
 */
export class ServedProcess {
  readonly #process: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #mostBytes: number;
  #request: Request | undefined;
  #rest = "";
  #isOver = false;

  constructor({ argv: [program, ...words], cwd, env, mostBytes }: Place) {
    this.#mostBytes = mostBytes;
    const child = spawn(program, words, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
    this.#process = child;
    child.stdin.on("error", () => {});
    child.stdout.setEncoding("utf8").on("data", (text: string) => this.#read(text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => this.#print("stderr", text));
    child.on("error", ({ message }) => this.#end({ code: 127, message }));
    // Once its pipes are read to their end, too.
    child.on("close", (code, signal) => {
      const number = code ?? 128 + constants.signals[signal ?? "SIGKILL"];
      this.#end({ code: number, message: "" });
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** One at a time. Past its time the process is asked to end, then killed. */
  ask(
    message: { id: string },
    { timeoutMs, graceMs }: { timeoutMs: number; graceMs: number },
  ): Promise<Reply> {
    return new Promise((resolve) => {
      const request: Request = {
        id: message.id,
        printed: { stdout: "", stderr: "" },
        isLate: false,
        stopTimers: [],
        resolve,
      };
      this.#request = request;
      if (this.#isOver) return this.#end({ code: null, message: "it has ended" });
      if (timeoutMs > 0)
        request.stopTimers.push(
          startTimer(timeoutMs, () => {
            request.isLate = true;
            this.signal(graceMs === 0 ? "SIGKILL" : "SIGTERM");
            request.stopTimers.push(startTimer(graceMs, () => this.signal("SIGKILL")));
          }),
        );
      this.#process.stdin.write(`${JSON.stringify(message)}\n`);
    });
  }

  /** To all of its group. */
  signal(signal: "SIGTERM" | "SIGKILL"): void {
    try {
      if (this.#process.pid !== undefined) process.kill(-this.#process.pid, signal);
    } catch {
      // It is gone.
    }
  }

  /** Says that nothing more comes; one that does not end by that is killed. */
  close(patienceMs: number): Promise<void> {
    if (this.#isOver) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = startTimer(patienceMs, () => this.signal("SIGKILL"));
      this.#process.once("close", () => {
        stop();
        resolve();
      });
      this.#process.stdin.end();
    });
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop()!;
    for (const line of lines) {
      const answer = this.#request && answerIn(line, this.#request.id);
      if (answer) this.#reply((printed) => ({ answer, printed }));
      else this.#print("stdout", `${line}\n`);
    }
  }

  #print(stream: keyof Printed, text: string): void {
    const printed = this.#request?.printed;
    if (printed && printed[stream].length < this.#mostBytes) printed[stream] += text;
  }

  #end({ code, message }: { code: number | null; message: string }): void {
    this.#isOver = true;
    if (this.#rest !== "") this.#print("stdout", this.#rest);
    const isLate = this.#request?.isLate ?? false;
    this.#reply((printed) => ({ code, message, isLate, printed }));
  }

  #reply(make: (printed: Printed) => Reply): void {
    const request = this.#request;
    if (!request) return;
    // What it wrote to stderr before its answer may arrive after it.
    setImmediate(() => {
      this.#request = undefined;
      for (const stop of request.stopTimers) stop();
      request.resolve(make(request.printed));
    });
  }
}

function answerIn(line: string, id: string): Answer | undefined {
  if (!line.startsWith("{") || !line.includes('"id"')) return undefined;
  try {
    const value = JSON.parse(line) as Answer;
    return value.id === id ? value : undefined;
  } catch {
    return undefined;
  }
}
