import { parentPort, workerData } from "node:worker_threads";
import { errorCode, errorText, UserError } from "../core/errors.ts";
import { createRedactor } from "../core/redact.ts";
import type { Attempt } from "../core/run.ts";
import { listFiles } from "../targets/command/read-results.ts";
import { loadTarget } from "../targets/load-target.ts";
import type { Target } from "../targets/target.ts";
import { captureOutput } from "./capture-output.ts";
import type { Job, Setting } from "./executor.ts";
import { RunFolder } from "./run-folder.ts";
import { runModule } from "./run-module.ts";
import type { ThreadMessage, ThreadOrder } from "./thread-slot.ts";

/** The thread's side of the pool: loads the target once, then runs what it is sent. */
const { setting, position } = workerData as { setting: Setting; position: Int32Array };
const port = parentPort!;
const redactor = createRedactor({ ...process.env, ...setting.env });
/** Results wait no longer than this for company. */
const FLUSH_MS = 5;
let loading: Promise<Target> | undefined;
let current: AbortController | undefined;

port.on("message", (order: ThreadOrder) => {
  if (order.kind === "jobs") void runBatch(order.jobs);
  else if (order.kind === "abort") current?.abort(new Error("the run is past its time"));
  else void closeDown();
});

async function runBatch(jobs: Job[]): Promise<void> {
  try {
    loading ??= load();
    const target = await loading;
    let attempts: Attempt[] = [];
    let from = 0;
    let flushed = performance.now();
    for (let i = 0; i < jobs.length; i++) {
      Atomics.store(position, 0, i);
      const answer = setting.artifacts === "none" ? runBare(jobs[i]!, target) : runInFolder(jobs[i]!, target);
      attempts.push(answer instanceof Promise ? await answer : answer);
      if (i === jobs.length - 1 || performance.now() - flushed > FLUSH_MS) {
        send({ kind: "results", from, attempts });
        from = i + 1;
        attempts = [];
        flushed = performance.now();
      }
    }
  } catch (error) {
    const isMachines = ["ENOSPC", "EDQUOT", "EROFS", "EIO"].includes(errorCode(error) ?? "");
    send({ kind: "broken", message: errorText(error), isUsers: error instanceof UserError, isMachines });
  }
}

async function load(): Promise<Target> {
  if (setting.target.kind === "command")
    throw new UserError("a command runs as a process", { remedy: "Use executor: process." });
  const target = await loadTarget(setting.target);
  try {
    await target.setup?.();
  } catch (error) {
    throw new UserError(`target ${target.name}: its setup failed: ${errorText(error)}`);
  }
  return target;
}

function runBare(job: Job, target: Target): Attempt | Promise<Attempt> {
  return runModule({ job, setting, target, outDir: null, seriesPath: null, signal: newSignal() });
}

async function runInFolder(job: Job, target: Target): Promise<Attempt> {
  const folder = new RunFolder(job, setting, redactor);
  folder.open();
  folder.begin([target.name], process.cwd(), Date.now());
  const release = captureOutput(folder.dir, setting.limits.stdoutBytes);
  try {
    const { outDir, seriesPath } = folder;
    const attempt = await runModule({ job, setting, target, outDir, seriesPath, signal: newSignal() });
    attempt.files = [];
    listFiles(outDir, "", attempt.files);
    release();
    folder.end(attempt, [target.name], process.cwd());
    return attempt;
  } finally {
    release();
  }
}

/** Only a run with a time limit can be asked to end. */
function newSignal(): AbortSignal | undefined {
  if (setting.limits.timeoutMs === 0) return undefined;
  current = new AbortController();
  return current.signal;
}

async function closeDown(): Promise<void> {
  try {
    if (loading) await (await loading).teardown?.();
  } catch (error) {
    console.error(`teardown failed: ${errorText(error)}`);
  }
  port.close();
}

function send(message: ThreadMessage): void {
  port.postMessage(message);
}
