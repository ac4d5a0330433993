import { closeSync, openSync, writeSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { errorText, explainFileError, MachineError, UserError } from "../core/errors.ts";
import type { Job, Setting } from "../core/executor.ts";
import type { Attempt } from "../core/run.ts";
import { RUN_FILES } from "../core/study-folder.ts";
import { redactorFor } from "../host/environment.ts";
import type { BoundInstrument } from "../instruments/instrument.ts";
import { loadTarget } from "../targets/load-target.ts";
import type { Target } from "../targets/target.ts";
import { loadInstruments } from "./load-instruments.ts";
import { RunFolder } from "./run-folder.ts";
import { runModule } from "./run-module.ts";
import { undone } from "./task.ts";
import type { ThreadMessage, ThreadOrder } from "./thread-slot.ts";

/** The thread's side of the pool: loads the target once, then runs what it is sent. */
const { setting, position } = workerData as { setting: Setting; position: Int32Array };
const port = parentPort!;
const redactor = redactorFor(setting);
/** Results wait no longer than this for company. */
const FLUSH_MS = 5;
const NEVER = new AbortController().signal;
let loading: Promise<Loaded> | undefined;
let current: AbortController | undefined;

interface Loaded {
  target: Target;
  instruments: BoundInstrument[];
}

port.on("message", (order: ThreadOrder) => {
  if (order.kind === "jobs") void runBatch(order.jobs);
  else if (order.kind === "abort") {
    if (order.position === position[0]) current?.abort(new Error("the run is past its time"));
  }
  // What a target left open, such as a timer, must not keep the thread.
  else process.exit(0);
});

async function runBatch(jobs: Job[]): Promise<void> {
  try {
    loading ??= load();
    const loaded = await loading;
    let attempts: Attempt[] = [];
    let from = 0;
    let flushed = performance.now();
    for (let i = 0; i < jobs.length; i++) {
      Atomics.store(position, 0, i);
      Object.assign(process.env, jobs[i]!.env);
      const answer = setting.artifacts === "none" ? runBare(jobs[i]!, loaded) : runInFolder(jobs[i]!, loaded);
      attempts.push(answer instanceof Promise ? await answer : answer);
      if (i === jobs.length - 1 || performance.now() - flushed > FLUSH_MS) {
        send({ kind: "results", from, attempts });
        from = i + 1;
        attempts = [];
        flushed = performance.now();
      }
    }
  } catch (error) {
    const told = explainFileError(error);
    send({
      kind: "broken",
      message: errorText(told),
      isUsers: told instanceof UserError,
      isMachines: told instanceof MachineError,
    });
  }
}

async function load(): Promise<Loaded> {
  if (setting.target.kind === "command")
    throw new UserError("a command runs as a process", { remedy: "Use executor: process." });
  return { target: await loadTarget(setting.target), instruments: await loadInstruments(setting) };
}

function runBare(job: Job, { target, instruments }: Loaded): Attempt | Promise<Attempt> {
  const signal = newSignal();
  const attempt = runModule({ job, setting, target, instruments, outDir: null, seriesPath: null, signal });
  return attempt instanceof Promise ? attempt.then(withoutIterations) : attempt;
}

/** They stay in the run's folder, and are too much for a message. */
function withoutIterations(attempt: Attempt): Attempt {
  delete attempt.iterations;
  return attempt;
}

async function runInFolder(job: Job, { target, instruments }: Loaded): Promise<Attempt> {
  const folder = new RunFolder(job, setting, redactor);
  try {
    folder.open();
  } catch (error) {
    return undone(error);
  }
  folder.begin([target.name], process.cwd(), Date.now());
  const release = captureOutput(folder.dir, setting.limits.stdoutBytes);
  try {
    const { outDir, seriesPath } = folder;
    const signal = newSignal();
    const attempt = await runModule({ job, setting, target, instruments, outDir, seriesPath, signal });
    release();
    folder.listFiles(attempt);
    folder.end(attempt, [target.name], process.cwd());
    return withoutIterations(attempt);
  } finally {
    release();
  }
}

/** Only a run with a time limit can be asked to end. */
function newSignal(): AbortSignal {
  if (setting.limits.timeoutMs === 0) return NEVER;
  current = new AbortController();
  return current.signal;
}

function send(message: ThreadMessage): void {
  port.postMessage(message);
}

type Write = typeof process.stdout.write;

/** Sends what the thread prints to the run's files, up to a cap, until the returned function is called. */
export function captureOutput(dir: string, capBytes: number): () => void {
  const releases = [
    capture(process.stdout, `${dir}/${RUN_FILES.stdout}`, capBytes),
    capture(process.stderr, `${dir}/${RUN_FILES.stderr}`, capBytes),
  ];
  return () => {
    for (const release of releases) release();
  };
}

function capture(stream: NodeJS.WriteStream, path: string, capBytes: number): () => void {
  const original = stream.write;
  let file: number | undefined;
  let written = 0;
  const write = (chunk: string | Uint8Array): boolean => {
    // One byte past the cap is kept, so that sealing sees that something was cut.
    if (written > capBytes) return true;
    file ??= openSync(path, "a");
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    written += writeSync(file, bytes, 0, Math.min(bytes.length, capBytes + 1 - written));
    return true;
  };
  stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    const result = write(chunk);
    const callback = rest.find((item) => typeof item === "function") as (() => void) | undefined;
    callback?.();
    return result;
  }) as Write;
  return () => {
    stream.write = original;
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
}
