import { createRedactor, type Redactor } from "../core/redact.ts";
import type { Attempt, Outcome } from "../core/run.ts";
import type { CommandRef } from "../core/study.ts";
import type { BoundInstrument, EndInstrument } from "../instruments/instrument.ts";
import { measuredCommand, startInstruments } from "../instruments/start-instruments.ts";
import { commandWords } from "../targets/command/fill-argv.ts";
import { findProgram } from "../targets/command/find-program.ts";
import { readResults } from "../targets/command/read-results.ts";
import { sweepEnv, writeSweepFiles } from "../targets/command/sweep-files.ts";
import type { Executor, Job, Setting } from "./executor.ts";
import { type Launched, launchIterations } from "./iterations/launch-iterations.ts";
import { treeSeconds } from "./iterations/tree-seconds.ts";
import { judgeExit } from "./judge-exit.ts";
import { type Exit, Launcher } from "./launcher.ts";
import { reapMarked } from "./marked-processes.ts";
import { moduleCommand, takeAttempt, writeJobFile } from "./module-command.ts";
import { OutputCap } from "./output-cap.ts";
import { RunFolder } from "./run-folder.ts";

const SWEEP_MS = 2000;
const SHORT_RUN_MS = 100;
/** A run that is under way for this long gets its meta.json before its end; a short one only at its end. */
const INTRODUCE_MS = 500;

type Ending = "timeout" | "cancelled";
type LaunchOptions = { argv: string[]; signal: AbortSignal; iteration: number };

/** Runs each job as a child process, in a group of its own, with captured output, a timeout and no leftovers. */
export class ProcessExecutor implements Executor {
  readonly name = "process";
  readonly #setting: Setting;
  readonly #redactor: Redactor;
  readonly #instruments: readonly BoundInstrument[];
  readonly #isTimed: boolean;
  readonly #cwd: string;
  readonly #arguments: Pick<CommandRef, "argv" | "sweepArgs">;
  readonly #program: string;
  readonly #idle: Launcher[] = [];
  /** Jobs that wait for a launcher, oldest first. */
  readonly #ready: { runId: string; use(launcher: Launcher | undefined): void }[] = [];
  readonly #busy = new Map<string, { launcher: Launcher; cancel(): void }>();
  /** Runs that were cancelled one by one, with why, until they have ended. */
  readonly #unwanted = new Map<string, Outcome>();
  #launchers = 0;
  #lastWallMs = Number.POSITIVE_INFINITY;
  #signal: AbortSignal | undefined;
  readonly #cap: OutputCap;
  readonly #sweeper: NodeJS.Timeout;

  constructor(setting: Setting, instruments: readonly BoundInstrument[]) {
    this.#setting = setting;
    this.#isTimed = instruments.some(({ instrument }) => instrument.name === "timing");
    this.#instruments = instruments.filter(({ instrument }) => instrument.name !== "timing");
    this.#redactor = createRedactor({ ...process.env, ...setting.env });
    const { target } = setting;
    const command = target.kind === "command" ? target : moduleCommand(setting);
    this.#cwd = command.cwd;
    this.#arguments = { ...command, argv: command.argv.slice(1) };
    this.#program = findProgram(command.argv[0]!, command.cwd);
    this.#cap = new OutputCap(setting.limits.stdoutBytes);
    this.#sweeper = setInterval(() => void this.#sweep(), SWEEP_MS);
    this.#sweeper.unref();
  }

  /** While runs are short, one job more than can run is made ready, so that a launcher need not wait for it. */
  get capacity(): number {
    return this.#setting.jobs + Number(this.#lastWallMs < SHORT_RUN_MS);
  }

  async execute(job: Job, signal: AbortSignal): Promise<Attempt> {
    const folder = new RunFolder(job, this.#setting, this.#redactor);
    folder.open();
    const isModule = this.#setting.target.kind !== "command";
    if (isModule) writeJobFile(folder.dir, job, this.#setting);
    writeSweepFiles(this.#arguments, job.run, folder.outDir);
    const argv = [this.#program, ...commandWords(this.#arguments, job.run, folder.outDir)];
    const launch = (iteration: number) => {
      const words = measuredCommand(argv, this.#instruments, { outDir: folder.outDir, iteration });
      return this.#launch(job, folder, { argv: words, signal, iteration });
    };
    const attempt = isModule
      ? await this.#callModule(launch, folder)
      : await this.#callProgram(launch, folder);
    this.#unwanted.delete(job.run.id);
    if (attempt.outcome.status === "skipped") folder.remove();
    else folder.end(attempt, argv, this.#cwd);
    delete attempt.iterations;
    return attempt;
  }

  /** The program is launched as often as the study says; each launch's results are read when it has ended. */
  async #callProgram(launch: (iteration: number) => Promise<Launched>, folder: RunFolder): Promise<Attempt> {
    const { iterations, result } = this.#setting;
    const isIterated = iterations.warmup > 0 || iterations.measured > 1 || result !== undefined;
    if (isIterated) {
      const attempt = await launchIterations({
        setting: this.#setting,
        isTimed: this.#isTimed,
        launch,
        read: () => readResults(folder.outDir),
        ownSeconds: () => treeSeconds(this.#launcherPids()),
      });
      if (attempt.outcome.status === "skipped") return attempt;
      attempt.files = readResults(folder.outDir).files;
      if (typeof attempt.metrics.cost_usd === "number") attempt.costUsd = attempt.metrics.cost_usd;
      return attempt;
    }
    const { outcome, startedAtMs, wallMs, measured, warnings: own = [] } = await launch(0);
    if (outcome.status === "skipped") return { outcome, metrics: {}, startedAtMs, wallMs };
    // First all launchers that got free in this turn get their next program, then files are read.
    await new Promise((resolve) => setImmediate(resolve));
    const { metrics, labels, warnings, files } = readResults(folder.outDir);
    const attempt: Attempt = { outcome, metrics, startedAtMs, wallMs, files };
    Object.assign(metrics, measured, this.#isTimed && { duration_ms: wallMs });
    if (Object.keys(labels).length > 0) attempt.labels = labels;
    if (warnings.length + own.length > 0) attempt.warnings = [...warnings, ...own];
    if (typeof metrics.cost_usd === "number") attempt.costUsd = metrics.cost_usd;
    return attempt;
  }

  /** A module iterates by itself, in the one process that it gets, and says how that went. */
  async #callModule(launch: (iteration: number) => Promise<Launched>, folder: RunFolder): Promise<Attempt> {
    const { outcome, startedAtMs, wallMs } = await launch(0);
    const told = takeAttempt(folder.dir);
    if (!told || ["cancelled", "stopped", "skipped"].includes(outcome.status))
      return { outcome, metrics: {}, startedAtMs, wallMs };
    const isOwnWord = outcome.status === "ok" || outcome.status === "failed";
    const { files } = readResults(folder.outDir);
    return {
      ...told,
      outcome: isOwnWord ? { ...told.outcome, exitCode: outcome.exitCode ?? 1 } : outcome,
      files,
    };
  }

  cancel(runId: string, outcome: Outcome): void {
    const busy = this.#busy.get(runId);
    const index = this.#ready.findIndex((ready) => ready.runId === runId);
    if (busy || index >= 0) this.#unwanted.set(runId, outcome);
    busy?.cancel();
    if (index >= 0) this.#ready.splice(index, 1)[0]!.use(undefined);
  }

  drain(): void {
    for (const { use } of this.#ready.splice(0)) use(undefined);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    this.#cap.close();
    for (const launcher of this.#idle) launcher.close();
    this.#idle.length = 0;
    await reapMarked(this.#setting, () => false);
  }

  /** Waits for a launcher, then runs the program on it. */
  async #launch(job: Job, folder: RunFolder, { argv, signal, iteration }: LaunchOptions): Promise<Launched> {
    const { id } = job.run;
    if (signal.aborted || this.#unwanted.has(id))
      return { outcome: this.#cancelled(id), startedAtMs: Date.now(), wallMs: 0 };
    this.#listenTo(signal);
    const { timeoutMs, graceMs } = this.#setting.limits;
    const files = { stdout: `${folder.dir}/stdout.txt`, stderr: `${folder.dir}/stderr.txt` };
    const env = this.#runEnv(job, folder);
    const warnings: string[] = [];
    const timers: NodeJS.Timeout[] = [];
    let ending: Ending | undefined;
    let start = 0;
    let endInstruments: EndInstrument | undefined;
    let startedAtMs = Date.now();
    const startAll = async (launcher: Launcher) => {
      const warn = (text: string) => void warnings.push(text);
      const ctx = { outDir: folder.outDir, pid: launcher.ready(), iteration, warn };
      endInstruments = await startInstruments(this.#instruments, ctx);
    };
    const begin = (launcher: Launcher): Promise<Exit> => {
      const end = (why: Ending) => {
        ending ??= why;
        if (why === "cancelled" || graceMs === 0) launcher.kill();
        else {
          launcher.terminate();
          timers.push(setTimeout(() => launcher.kill(), graceMs));
        }
      };
      startedAtMs = Date.now();
      start = performance.now();
      if (timeoutMs > 0) timers.push(setTimeout(end, timeoutMs, "timeout"));
      timers.push(setTimeout(() => folder.begin(argv, this.#cwd, startedAtMs), INTRODUCE_MS));
      this.#busy.set(job.run.id, { launcher, cancel: () => end("cancelled") });
      this.#cap.watch(files);
      if (this.#instruments.length === 0) return launcher.launch({ argv, env, ...files });
      return startAll(launcher).then(() => {
        // Cancelled, or late, before it began: there is nothing that could be ended any more.
        if (ending) return { code: null, message: "" };
        start = performance.now();
        return launcher.launch({ argv, env, ...files });
      });
    };
    const exit = await this.#onLauncher(id, begin, (launcher) => {
      // What left the group, or ignored TERM while its parent obeyed, must go before another program comes.
      if (ending) launcher.kill();
    });
    if (!exit) {
      const outcome: Outcome = this.#unwanted.has(id) ? this.#cancelled(id) : { status: "skipped" };
      return { outcome, startedAtMs, wallMs: 0 };
    }
    const wallMs = performance.now() - start;
    const measured = endInstruments ? await endInstruments() : {};
    this.#lastWallMs = wallMs;
    for (const timer of timers) clearTimeout(timer);
    this.#cap.unwatch(files);
    this.#busy.delete(job.run.id);
    if (ending) await reapMarked(this.#setting, ({ runId }) => runId !== job.run.id);
    const outcome =
      ending === "cancelled"
        ? this.#cancelled(id)
        : judgeExit(exit, ending === "timeout" ? this.#setting.limits.timeoutMs : undefined);
    return { outcome, startedAtMs, wallMs, measured, warnings };
  }

  /**
   * Begins on a free launcher, now or when one gets free, and ends with the program; undefined when drained
   * before. The launcher is passed on at once, before anybody looks at what the program left.
   */
  #onLauncher(
    runId: string,
    begin: (launcher: Launcher) => Promise<Exit>,
    release: (launcher: Launcher) => void,
  ): Promise<Exit | undefined> {
    return new Promise((resolve, reject) => {
      const use = (launcher: Launcher | undefined) => {
        if (!launcher) return resolve(undefined);
        begin(launcher).then((exit) => {
          release(launcher);
          const next = this.#ready.shift();
          if (next) next.use(launcher);
          else this.#idle.push(launcher);
          resolve(exit);
        }, reject);
      };
      const launcher = this.#idle.pop() ?? this.#newLauncher();
      if (launcher) use(launcher);
      else this.#ready.push({ runId, use });
    });
  }

  /** One listener for all runs: adding one for each costs more than a short run's bookkeeping. */
  #listenTo(signal: AbortSignal): void {
    if (this.#signal === signal) return;
    this.#signal = signal;
    signal.addEventListener("abort", () => {
      this.drain();
      for (const { cancel } of this.#busy.values()) cancel();
    });
  }

  #cancelled(runId: string): Outcome {
    return this.#unwanted.get(runId) ?? { status: "cancelled" };
  }

  #newLauncher(): Launcher | undefined {
    if (this.#launchers === this.#setting.jobs) return undefined;
    this.#launchers++;
    const { studyDir, env } = this.#setting;
    return new Launcher(this.#cwd, { ...process.env, ...env, ASSAY_STUDY_DIR: studyDir });
  }

  #launcherPids(): number[] {
    const busy = [...this.#busy.values()].map(({ launcher }) => launcher);
    return [...this.#idle, ...busy].flatMap(({ pid }) => pid ?? []);
  }

  #runEnv({ run }: Job, folder: RunFolder): Record<string, string> {
    return {
      ASSAY_RUN_ID: run.id,
      ASSAY_SEED: String(run.seed),
      ASSAY_OUT_DIR: folder.outDir,
      ASSAY_SERIES: folder.seriesPath,
      ...(this.#arguments.sweepArgs && sweepEnv(run, { ...this.#setting, outDir: folder.outDir })),
    };
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
