import { createRedactor, type Redactor } from "../core/redact.ts";
import { type Attempt, failed, OK, type Outcome, timedOut } from "../core/run.ts";
import { startInstruments } from "../instruments/index.ts";
import { fillArgv } from "../targets/command/fill-argv.ts";
import { findProgram } from "../targets/command/find-program.ts";
import { readResults } from "../targets/command/read-results.ts";
import type { Executor, Job, Setting } from "./executor.ts";
import { type Exit, Launcher } from "./launcher.ts";
import { reapMarked } from "./marked-processes.ts";
import { moduleCommand, writeJobFile } from "./module-command.ts";
import { OutputCap } from "./output-cap.ts";
import { RunFolder } from "./run-folder.ts";

/** A program's way of saying "try again": EX_TEMPFAIL of sysexits.h. */
const TEMPORARY_FAILURE = 75;
const SWEEP_MS = 2000;
const SHORT_RUN_MS = 100;
/** A run that is under way for this long gets its meta.json before its end; a short one only at its end. */
const INTRODUCE_MS = 500;

type Ending = "timeout" | "cancelled";
type LaunchOptions = { argv: string[]; signal: AbortSignal };
type Launched = Pick<Attempt, "outcome" | "startedAtMs" | "wallMs"> & { measured?: Record<string, number> };

/** Runs each job as a child process, in a group of its own, with captured output, a timeout and no leftovers. */
export class ProcessExecutor implements Executor {
  readonly name = "process";
  readonly #setting: Setting;
  readonly #redactor: Redactor;
  readonly #cwd: string;
  readonly #argv: string[];
  readonly #program: string;
  readonly #idle: Launcher[] = [];
  /** Jobs that wait for a launcher, oldest first. */
  readonly #ready: ((launcher: Launcher | undefined) => void)[] = [];
  readonly #busy = new Map<string, { launcher: Launcher; cancel(): void }>();
  #launchers = 0;
  #lastWallMs = Number.POSITIVE_INFINITY;
  #signal: AbortSignal | undefined;
  readonly #cap: OutputCap;
  readonly #sweeper: NodeJS.Timeout;

  constructor(setting: Setting) {
    this.#setting = setting;
    this.#redactor = createRedactor({ ...process.env, ...setting.env });
    const { target } = setting;
    const command = target.kind === "command" ? target : moduleCommand(setting);
    this.#cwd = command.cwd;
    this.#argv = command.argv;
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
    if (this.#setting.target.kind !== "command") writeJobFile(folder.dir, job, this.#setting);
    const argv = [this.#program, ...fillArgv(this.#argv.slice(1), job.run, folder.outDir)];
    for (let i = 0; i < this.#setting.warmup; i++) await this.#launch(job, folder, { argv, signal });
    const { outcome, startedAtMs, wallMs, measured } = await this.#launch(job, folder, { argv, signal });
    if (outcome.status === "skipped") {
      folder.remove();
      return { outcome, metrics: {}, startedAtMs, wallMs };
    }
    // First all launchers that got free in this turn get their next program, then files are read.
    await new Promise((resolve) => setImmediate(resolve));
    const { metrics, labels, warnings, files } = readResults(folder.outDir);
    const attempt: Attempt = { outcome, metrics, startedAtMs, wallMs, files };
    Object.assign(metrics, measured);
    if (Object.keys(labels).length > 0) attempt.labels = labels;
    if (warnings.length > 0) attempt.warnings = warnings;
    if (typeof metrics.cost_usd === "number") attempt.costUsd = metrics.cost_usd;
    folder.end(attempt, argv, this.#cwd);
    return attempt;
  }

  drain(): void {
    for (const ready of this.#ready.splice(0)) ready(undefined);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    this.#cap.close();
    for (const launcher of this.#idle) launcher.close();
    this.#idle.length = 0;
    await reapMarked(this.#setting.studyDir, () => false);
  }

  /** Waits for a launcher, then runs the program on it. */
  async #launch(job: Job, folder: RunFolder, { argv, signal }: LaunchOptions): Promise<Launched> {
    if (signal.aborted) return { outcome: { status: "cancelled" }, startedAtMs: Date.now(), wallMs: 0 };
    this.#listenTo(signal);
    const { timeoutMs, graceMs } = this.#setting.limits;
    const files = { stdout: `${folder.dir}/stdout.txt`, stderr: `${folder.dir}/stderr.txt` };
    const env = this.#runEnv(job, folder);
    const timers: NodeJS.Timeout[] = [];
    let ending: Ending | undefined;
    let start = 0;
    let endInstruments = (): Record<string, number> => ({});
    let startedAtMs = Date.now();
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
      endInstruments = startInstruments(this.#setting.instruments);
      return launcher.launch({ argv, env, ...files });
    };
    const exit = await this.#onLauncher(begin, (launcher) => {
      // What left the group, or ignored TERM while its parent obeyed, must go before another program comes.
      if (ending) launcher.kill();
    });
    if (!exit) return { outcome: { status: "skipped" }, startedAtMs, wallMs: 0 };
    const measured = endInstruments();
    const wallMs = performance.now() - start;
    this.#lastWallMs = wallMs;
    for (const timer of timers) clearTimeout(timer);
    this.#cap.unwatch(files);
    this.#busy.delete(job.run.id);
    if (ending) await reapMarked(this.#setting.studyDir, ({ runId }) => runId !== job.run.id);
    return { outcome: this.#judge(exit, ending), startedAtMs, wallMs, measured };
  }

  /**
   * Begins on a free launcher, now or when one gets free, and ends with the program; undefined when drained
   * before. The launcher is passed on at once, before anybody looks at what the program left.
   */
  #onLauncher(
    begin: (launcher: Launcher) => Promise<Exit>,
    release: (launcher: Launcher) => void,
  ): Promise<Exit | undefined> {
    return new Promise((resolve, reject) => {
      const use = (launcher: Launcher | undefined) => {
        if (!launcher) return resolve(undefined);
        begin(launcher).then((exit) => {
          release(launcher);
          const next = this.#ready.shift();
          if (next) next(launcher);
          else this.#idle.push(launcher);
          resolve(exit);
        }, reject);
      };
      const launcher = this.#idle.pop() ?? this.#newLauncher();
      if (launcher) use(launcher);
      else this.#ready.push(use);
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

  #judge({ code, message }: Exit, ending: Ending | undefined): Outcome {
    const { timeoutMs } = this.#setting.limits;
    if (ending === "timeout") return timedOut(timeoutMs);
    if (ending === "cancelled") return { status: "cancelled" };
    if (code === 0) return { ...OK, exitCode: 0 };
    if (code === null) return failed("infrastructure", `the launcher ended${message && `: ${message}`}`);
    if (/cannot (create|open)/.test(message)) return failed("infrastructure", message, code);
    if (code === TEMPORARY_FAILURE) return failed("infrastructure", "exit 75 (temporary failure)", code);
    if (code === 126 || code === 127)
      return failed("infrastructure", message || `exit ${code}: could not be started`, code);
    const bySignal = code > 128 && code < 193 ? ` (128 + signal ${code - 128})` : "";
    return failed("agent", `exit ${code}${bySignal}`, code);
  }

  #newLauncher(): Launcher | undefined {
    if (this.#launchers === this.#setting.jobs) return undefined;
    this.#launchers++;
    const { studyDir, env } = this.#setting;
    return new Launcher(this.#cwd, { ...process.env, ...env, ASSAY_STUDY_DIR: studyDir });
  }

  #runEnv({ run }: Job, folder: RunFolder): Record<string, string> {
    return {
      ASSAY_RUN_ID: run.id,
      ASSAY_SEED: String(run.seed),
      ASSAY_OUT_DIR: folder.outDir,
      ASSAY_SERIES: folder.seriesPath,
    };
  }

  /** Ends what finished runs left behind, now and then, so that it can't disturb the runs after them. */
  async #sweep(): Promise<void> {
    const launchers = new Set(
      [...this.#idle, ...[...this.#busy.values()].map(({ launcher }) => launcher)].map(({ pid }) => pid),
    );
    await reapMarked(
      this.#setting.studyDir,
      ({ pid, runId }) => launchers.has(pid) || this.#busy.has(runId) || runId === "",
    );
  }
}
