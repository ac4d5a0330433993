import { appendFileSync } from "node:fs";
import { errorText } from "../../core/errors.ts";
import type { Executor, Job, Setting } from "../../core/executor.ts";
import { Preemption, preempted } from "../../core/preemption.ts";
import type { Redactor } from "../../core/redact.ts";
import { type Attempt, failed, OK, type Outcome, type Run, timedOut } from "../../core/run.ts";
import type { CommandRef } from "../../core/study.ts";
import { startTimer } from "../../host/clock.ts";
import { redactorFor } from "../../host/environment.ts";
import { marksOf, reapMarked } from "../../host/processes.ts";
import { commandWords } from "../../targets/command/fill-argv.ts";
import { findProgram } from "../../targets/command/find-program.ts";
import { pythonEnv } from "../../targets/command/python-env.ts";
import { judgeExit } from "../judge-exit.ts";
import { addNested } from "../read-results.ts";
import { scoredPlaces } from "../run-env.ts";
import { RunFolder } from "../run-folder.ts";
import { SlotHealth, slotNotice } from "../slot-health.ts";
import { undone, unstarted } from "../task.ts";
import { type Printed, type Reply, ServedProcess } from "./served-process.ts";

const INTRODUCE_MS = 500;
/** How long a process may take to end once nothing more comes. */
const PATIENCE_MS = 2000;
const CANCELLED: Outcome = { status: "cancelled" };

interface Busy {
  server: ServedProcess;
  ending?: Outcome;
  isPreempted?: true;
}

/**
 * Runs of a program with `worker: true`: as many processes as runs at the same time, each of which answers one run after
 * the other. One that dies, or is late, takes the run that it has with it, and the next run gets a new one.
 */
export class ServingExecutor implements Executor {
  readonly name = "process";
  #setting: Setting;
  readonly #command: CommandRef;
  readonly #redactor: Redactor;
  readonly #isTimed: boolean;
  /** By the words that they were started with. */
  readonly #idle: { key: string; server: ServedProcess }[] = [];
  /** Who has each of the study's slots. */
  readonly #slots: ServedProcess[] = [];
  readonly #busy = new Map<string, Busy>();
  readonly #health: SlotHealth;
  #say: (text: string) => void = () => {};
  #signal: AbortSignal | undefined;
  /** Looked for once: many runs are over sooner than a walk through PATH. */
  #program: string | undefined;

  constructor(setting: Setting, command: CommandRef, { isTimed }: { isTimed: boolean }) {
    this.#setting = setting;
    this.#health = new SlotHealth(setting.slots?.length ?? 0);
    this.#command = command;
    this.#redactor = redactorFor(setting);
    this.#isTimed = isTimed;
  }

  get capacity(): number {
    return this.#setting.jobs;
  }

  resize(jobs: number): void {
    const { slots } = this.#setting;
    this.#setting = { ...this.#setting, jobs: Math.min(jobs, slots?.length ?? jobs) };
  }

  async execute(job: Job, signal: AbortSignal): Promise<Attempt> {
    if (signal.aborted) return unstarted(CANCELLED);
    this.#listenTo(signal);
    const folder = new RunFolder(job, this.#setting, this.#redactor);
    try {
      folder.open();
      appendFileSync(folder.stdout, "");
    } catch (error) {
      return undone(error);
    }
    const argv = this.#argvFor(job.run, folder.outDir);
    // What was started for other services, or another way to models, would not find these.
    const key = JSON.stringify([argv, job.env]);
    const busy: Busy = { server: this.#take(key, argv, job.env) };
    this.#busy.set(job.run.id, busy);
    const startedAtMs = Date.now();
    const introduce = startTimer(INTRODUCE_MS, () => folder.begin(argv, this.#command.cwd, startedAtMs));
    const start = performance.now();
    const reply = await busy.server.ask(
      { ...messageFor(job, folder), ...scoredPlaces(this.#setting, job.run) },
      this.#setting.limits,
    );
    const wallMs = performance.now() - start;
    introduce();
    this.#busy.delete(job.run.id);
    if (!busy.server.isOver && !busy.ending) this.#idle.push({ key, server: busy.server });
    try {
      const attempt = this.#attemptOf(reply, { folder, startedAtMs, wallMs, ending: endingOf(busy, reply) });
      folder.end(attempt, argv, this.#command.cwd);
      this.#judgeSlot(busy.server, attempt.outcome);
      return attempt;
    } catch (error) {
      return undone(error);
    }
  }

  cancel(runId: string, outcome: Outcome): void {
    const busy = this.#busy.get(runId);
    if (!busy) return;
    busy.ending ??= outcome;
    busy.server.signal("SIGKILL");
  }

  /** Its process is asked to end, and ended after its grace. */
  #preempt(runId: string): void {
    const busy = this.#busy.get(runId)!;
    busy.isPreempted = true;
    busy.server.signal("SIGTERM");
    startTimer(this.#setting.limits.graceMs, () => {
      if (this.#busy.get(runId) === busy) this.cancel(runId, CANCELLED);
    });
  }

  listen(onNotice: (text: string) => void): void {
    this.#say = onNotice;
  }

  drain(): void {}

  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map(({ server }) => server.close(PATIENCE_MS)));
    await reapMarked(this.#setting, () => false);
  }

  /** One that was started with the same words, or a new one in place of another that has nothing to do. */
  #take(key: string, argv: readonly [string, ...string[]], own: Job["env"]): ServedProcess {
    for (let i = this.#idle.length - 1; i >= 0; i--)
      if (this.#idle[i]!.server.isOver) this.#idle.splice(i, 1);
    const index = this.#idle.findIndex((one) => one.key === key);
    if (index >= 0) return this.#idle.splice(index, 1)[0]!.server;
    const isFull = this.#idle.length + this.#busy.size >= this.#setting.jobs;
    const leaving = isFull ? this.#idle.shift()?.server : undefined;
    void leaving?.close(PATIENCE_MS);
    const { env, studyDir, limits, slots = [] } = this.#setting;
    const slot = slots.findIndex(
      (_, i) =>
        !this.#health.isOut(i) && (!this.#slots[i] || this.#slots[i] === leaving || this.#slots[i]?.isOver),
    );
    const server = new ServedProcess({
      argv,
      cwd: this.#command.cwd,
      env: { ...process.env, ...env, ...slots[slot], ...own, ...marksOf(studyDir), ...pythonPath(env) },
      mostBytes: limits.stdoutBytes,
    });
    if (slot >= 0) this.#slots[slot] = server;
    return server;
  }

  /** Sets a slot aside in which nothing runs any more. */
  #judgeSlot(server: ServedProcess, outcome: Outcome): void {
    const slot = this.#slots.indexOf(server);
    if (!this.#health.note(slot, outcome)) return;
    const { slots, jobs } = this.#setting;
    this.#setting = { ...this.#setting, jobs: jobs - 1 };
    const index = this.#idle.findIndex((one) => one.server === server);
    if (index >= 0) void this.#idle.splice(index, 1)[0]!.server.close(PATIENCE_MS);
    this.#say(slotNotice(slot, slots![slot]!));
  }

  #argvFor(run: Run, outDir: string): [string, ...string[]] {
    const [program, ...rest] = this.#command.argv as [string, ...string[]];
    this.#program ??= findProgram(program, this.#command.cwd);
    return [this.#program, ...commandWords({ ...this.#command, argv: rest }, run, outDir)];
  }

  #attemptOf(
    reply: Reply,
    {
      folder,
      startedAtMs,
      wallMs,
      ending,
    }: { folder: RunFolder; startedAtMs: number; wallMs: number; ending?: Outcome | undefined },
  ): Attempt {
    keepPrinted(folder, reply.printed);
    const results = folder.results();
    const { metrics, labels, warnings, files } = results;
    let outcome = ending ?? this.#judge(reply);
    if ("answer" in reply && outcome.status === "ok") {
      try {
        addNested(reply.answer.metrics ?? {}, results);
      } catch (error) {
        outcome = failed("agent", `its answer has no metrics (${errorText(error)})`);
      }
    }
    if (this.#isTimed) metrics.duration_ms = wallMs;
    const attempt: Attempt = { outcome, metrics, startedAtMs, wallMs, files };
    if (Object.keys(labels).length > 0) attempt.labels = labels;
    if (warnings.length > 0) attempt.warnings = warnings;
    if (typeof metrics.cost_usd === "number") attempt.costUsd = metrics.cost_usd;
    return attempt;
  }

  #judge(reply: Reply): Outcome {
    if ("answer" in reply) {
      const { error } = reply.answer;
      return error === undefined ? OK : failed("agent", this.#redactor.text(String(error).slice(0, 1000)));
    }
    const { code, message, isLate, printed } = reply;
    const { timeoutMs } = this.#setting.limits;
    if (isLate) return timedOut(timeoutMs);
    // A program that ends well has left before it answered.
    const judged = judgeExit({ code: code === 0 ? null : code, message }, undefined);
    const last = printed.stderr.trimEnd().split("\n").at(-1) ?? "";
    const why = code === 0 ? "exit 0" : (judged.reason ?? "");
    const reason = `the worker ended without an answer: ${why}${last === "" ? "" : `: ${this.#redactor.text(last)}`}`;
    const owner = code === 0 || judged.owner === "agent" ? "agent" : "infrastructure";
    return failed(owner, reason, code ?? undefined);
  }

  #listenTo(signal: AbortSignal): void {
    if (this.#signal === signal) return;
    this.#signal = signal;
    signal.addEventListener("abort", () => {
      const isPreempted = signal.reason instanceof Preemption && this.#setting.limits.graceMs > 0;
      for (const id of this.#busy.keys()) isPreempted ? this.#preempt(id) : this.cancel(id, CANCELLED);
    });
  }
}

function endingOf({ ending, isPreempted }: Busy, reply: Reply): Outcome | undefined {
  return ending ?? (isPreempted && "code" in reply ? preempted(reply.code) : undefined);
}

/** What a process that serves many runs is told of each one. */
function messageFor({ run }: Job, { outDir, seriesPath, attempt, state }: RunFolder) {
  const { id, params, variant, flags, seed, task, item, repeat } = run;
  const about = { id, attempt, params, variant, flags, seed, task, repeat };
  return { ...about, ...(item && { item }), out_dir: outDir, series: seriesPath, state_dir: state.open() };
}

function keepPrinted(folder: RunFolder, { stdout, stderr }: Printed): void {
  folder.checkCaptured();
  if (stdout !== "") appendFileSync(folder.stdout, stdout);
  if (stderr !== "") appendFileSync(folder.stderr, stderr);
}

/** Where Python finds our file; parameters come with each run. */
function pythonPath(env: Record<string, string>): Record<string, string> {
  const none = { id: "", params: {}, variant: "", flags: [], seed: 0, task: null, repeat: 0 };
  const { ASSAY_PARAMS: _, ...path } = pythonEnv(none, { env, sweepArgs: undefined });
  return path;
}
