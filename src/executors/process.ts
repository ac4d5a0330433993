import type { Executor, Job, Setting } from "../core/executor.ts";
import { Preemption } from "../core/preemption.ts";
import type { Attempt, Outcome } from "../core/run.ts";
import { redactorFor } from "../host/environment.ts";
import { marksOf, readStat, reapMarked, TICKS_PER_SECOND } from "../host/processes.ts";
import type { BoundInstrument } from "../instruments/instrument.ts";
import { findProgram } from "../targets/command/find-program.ts";
import { Launcher } from "./launcher.ts";
import { moduleCommand } from "./module-command.ts";
import { OutputCap } from "./output-cap.ts";
import { ProgramRun, type ProgramSetting } from "./program-run.ts";
import { SlotHealth, slotNotice } from "./slot-health.ts";
import { undone, unstarted } from "./task.ts";

const SWEEP_MS = 2000;
const SHORT_RUN_MS = 100;
const CANCELLED: Outcome = { status: "cancelled" };

/** A run that is ready and waits for a launcher. */
interface Ready {
  run: ProgramRun;
  use(launcher: Launcher | undefined): void;
}

/** Runs each job as a child process, in a group of its own, with captured output, a timeout and no leftovers. */
export class ProcessExecutor implements Executor {
  readonly name = "process";
  #setting: Setting;
  readonly #shared: ProgramSetting;
  /** With the slot of each, where the study has slots. */
  readonly #launchers = new Map<Launcher, number>();
  readonly #health: SlotHealth;
  #say: (text: string) => void = () => {};
  readonly #idle: Launcher[] = [];
  /** Oldest first. */
  readonly #ready: Ready[] = [];
  /** What waits or runs, by its id. */
  readonly #runs = new Map<string, ProgramRun>();
  /** Of the runs that have a launcher: what belongs to any other was left behind. */
  readonly #busy = new Set<string>();
  #lastWallMs = Number.POSITIVE_INFINITY;
  #signal: AbortSignal | undefined;
  readonly #sweeper: NodeJS.Timeout;

  constructor(setting: Setting, instruments: readonly BoundInstrument[]) {
    this.#setting = setting;
    this.#health = new SlotHealth(setting.slots?.length ?? 0);
    const { target } = setting;
    const { cwd, argv, ...rest } = target.kind === "command" ? target : moduleCommand(setting);
    this.#shared = {
      setting,
      redactor: redactorFor(setting),
      instruments: instruments.filter(({ instrument }) => instrument.name !== "timing"),
      isTimed: instruments.some(({ instrument }) => instrument.name === "timing"),
      program: findProgram(argv[0]!, cwd),
      words: { ...rest, argv: argv.slice(1) },
      cwd,
      cap: new OutputCap(setting.limits.stdoutBytes),
      ownSeconds: () => treeSeconds(this.#launcherPids()),
    };
    this.#sweeper = setInterval(() => void this.#sweep(), SWEEP_MS);
    this.#sweeper.unref();
  }

  /** While runs are short, one job more than can run is made ready, so that a launcher need not wait for it. */
  get capacity(): number {
    return this.#setting.jobs + Number(this.#lastWallMs < SHORT_RUN_MS);
  }

  /** A study with slots has no more places than slots. */
  resize(jobs: number): void {
    const { slots } = this.#setting;
    this.#setting = { ...this.#setting, jobs: Math.min(jobs, slots?.length ?? jobs) };
  }

  async execute(job: Job, signal: AbortSignal): Promise<Attempt> {
    if (signal.aborted) return unstarted(CANCELLED);
    this.#listenTo(signal);
    const { id } = job.run;
    let run: ProgramRun;
    try {
      run = new ProgramRun(job, this.#shared);
    } catch (error) {
      return undone(error);
    }
    this.#runs.set(id, run);
    try {
      const launcher = await this.#takeLauncher(run);
      if (!launcher) return run.giveUp();
      this.#busy.add(id);
      const attempt = await run.carryOut(launcher, () => {
        this.#busy.delete(id);
        this.#passOn(launcher);
      });
      this.#lastWallMs = attempt.wallMs;
      this.#judge(launcher, attempt.outcome);
      return attempt;
    } finally {
      this.#runs.delete(id);
    }
  }

  cancel(runId: string, outcome: Outcome): void {
    this.#runs.get(runId)?.cancel(outcome);
    const index = this.#ready.findIndex(({ run }) => run === this.#runs.get(runId));
    if (index >= 0) this.#ready.splice(index, 1)[0]!.use(undefined);
  }

  listen(onNotice: (text: string) => void): void {
    this.#say = onNotice;
  }

  drain(): void {
    for (const { use } of this.#ready.splice(0)) use(undefined);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    this.#shared.cap.close();
    for (const launcher of this.#idle) launcher.close();
    this.#idle.length = 0;
    await reapMarked(this.#setting, () => false);
  }

  /** A launcher, now or when one gets free; undefined where the run is not to begin any more. */
  #takeLauncher(run: ProgramRun): Promise<Launcher | undefined> | Launcher {
    const launcher = this.#idle.pop() ?? this.#newLauncher();
    return launcher ?? new Promise((use) => this.#ready.push({ run, use }));
  }

  /** Sets a slot aside in which nothing runs any more. */
  #judge(launcher: Launcher, outcome: Outcome): void {
    const slot = this.#launchers.get(launcher) ?? -1;
    if (!this.#health.note(slot, outcome)) return;
    const { slots, jobs } = this.#setting;
    this.#setting = { ...this.#setting, jobs: jobs - 1 };
    const index = this.#idle.indexOf(launcher);
    if (index >= 0) this.#leave(this.#idle.splice(index, 1)[0]!);
    this.#say(slotNotice(slot, slots![slot]!));
  }

  #leave(launcher: Launcher): void {
    this.#launchers.delete(launcher);
    launcher.close();
  }

  #passOn(launcher: Launcher): void {
    const isOut = this.#health.isOut(this.#launchers.get(launcher) ?? -1);
    const next = isOut ? undefined : this.#ready.shift();
    if (isOut) this.#leave(launcher);
    else if (next) next.use(launcher);
    else this.#idle.push(launcher);
  }

  /** One listener for all runs: adding one for each costs more than a short run's bookkeeping. */
  #listenTo(signal: AbortSignal): void {
    if (this.#signal === signal) return;
    this.#signal = signal;
    signal.addEventListener("abort", () => {
      const isPreempted = signal.reason instanceof Preemption;
      for (const run of this.#runs.values()) isPreempted ? run.preempt() : run.cancel(CANCELLED);
      this.drain();
    });
  }

  #newLauncher(): Launcher | undefined {
    if (this.#launchers.size >= this.#setting.jobs) return undefined;
    const { studyDir, env, slots } = this.#setting;
    // A launcher stays in its slot: what it starts one after the other never meets what others start.
    const taken = new Set(this.#launchers.values());
    const slot = slots?.findIndex((_, i) => !taken.has(i) && !this.#health.isOut(i)) ?? -1;
    if (slots && slot < 0) return undefined;
    const around = { ...process.env, ...env, ...slots?.[slot], ...marksOf(studyDir) };
    const isCounting = this.#shared.isTimed && this.#setting.target.kind === "command";
    const launcher = new Launcher(this.#shared.cwd, around, { isCounting });
    this.#launchers.set(launcher, slot);
    return launcher;
  }

  #launcherPids(): number[] {
    return [...this.#launchers.keys()].flatMap(({ pid }) => pid ?? []);
  }

  /** Ends what finished runs left behind, now and then, so that it can't disturb the runs after them. */
  async #sweep(): Promise<void> {
    const launchers = new Set(this.#launcherPids());
    await reapMarked(
      this.#setting,
      ({ pid, runId }) => launchers.has(pid) || this.#busy.has(runId) || runId === "",
    );
  }
}

/** Processor time of this process and of shells with all that they have waited for, in seconds. Linux only. */
function treeSeconds(pids: readonly number[]): number {
  const { user, system } = process.cpuUsage();
  let total = (user + system) / 1e6;
  for (const pid of pids) total += (readStat(pid)?.cpuTicks ?? 0) / TICKS_PER_SECOND;
  return total;
}
