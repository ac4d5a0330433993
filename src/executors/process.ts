import { createRedactor, type Redactor } from "../core/redact.ts";
import { type Attempt, failed, OK, type Outcome } from "../core/run.ts";
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

/** Runs each job as a child process, in a group of its own, with captured output, a timeout and no leftovers. */
export class ProcessExecutor implements Executor {
  readonly name = "process";
  readonly #setting: Setting;
  readonly #redactor: Redactor;
  readonly #cwd: string;
  readonly #argv: string[];
  readonly #program: string;
  readonly #idle: Launcher[] = [];
  readonly #busy = new Map<string, Launcher>();
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

  get capacity(): number {
    return this.#setting.jobs;
  }

  async execute(job: Job, signal: AbortSignal): Promise<Attempt> {
    const folder = new RunFolder(job, this.#setting, this.#redactor);
    folder.open();
    if (this.#setting.target.kind !== "command") writeJobFile(folder.dir, job, this.#setting);
    const argv = [this.#program, ...fillArgv(this.#argv.slice(1), job.run, folder.outDir)];
    const startedAtMs = Date.now();
    folder.begin(argv, this.#cwd, startedAtMs);
    for (let i = 0; i < this.#setting.warmup; i++)
      await this.#launch(job, folder, { argv, signal, isWarmup: true });
    const start = performance.now();
    const outcome = await this.#launch(job, folder, { argv, signal, isWarmup: false });
    const wallMs = performance.now() - start;
    const { metrics, labels, warnings, files } = readResults(folder.outDir);
    const attempt: Attempt = { outcome, metrics, startedAtMs, wallMs, files };
    if (this.#setting.instruments.some(({ name }) => name === "timing")) metrics.duration_ms = wallMs;
    if (Object.keys(labels).length > 0) attempt.labels = labels;
    if (warnings.length > 0) attempt.warnings = warnings;
    if (typeof metrics.cost_usd === "number") attempt.costUsd = metrics.cost_usd;
    folder.end(attempt, argv, this.#cwd);
    return attempt;
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    this.#cap.close();
    for (const launcher of this.#idle) launcher.close();
    this.#idle.length = 0;
    await reapMarked(this.#setting.studyDir, () => false);
  }

  async #launch(
    job: Job,
    folder: RunFolder,
    { argv, signal, isWarmup }: { argv: string[]; signal: AbortSignal; isWarmup: boolean },
  ): Promise<Outcome> {
    if (signal.aborted) return { status: "cancelled" };
    const { limits } = this.#setting;
    const launcher = this.#idle.pop() ?? this.#newLauncher();
    this.#busy.set(job.run.id, launcher);
    let ending: "timeout" | "cancelled" | undefined;
    let killTimer: NodeJS.Timeout | undefined;
    const end = (why: "timeout" | "cancelled", graceMs: number) => {
      ending ??= why;
      if (graceMs > 0) launcher.signal("SIGTERM");
      killTimer = setTimeout(() => launcher.signal("SIGKILL"), graceMs);
    };
    const onAbort = () => end("cancelled", 0);
    signal.addEventListener("abort", onAbort, { once: true });
    const timer =
      limits.timeoutMs > 0 ? setTimeout(end, limits.timeoutMs, "timeout", limits.graceMs) : undefined;
    const files = { stdout: `${folder.dir}/stdout.txt`, stderr: `${folder.dir}/stderr.txt` };
    this.#cap.watch(files);
    const exit = await launcher.launch({ argv, env: this.#runEnv(job, folder), ...files });
    clearTimeout(timer);
    clearTimeout(killTimer);
    signal.removeEventListener("abort", onAbort);
    this.#cap.unwatch(files);
    this.#busy.delete(job.run.id);
    if (ending) {
      // What left the group or ignored TERM while its parent obeyed must go too.
      launcher.signal("SIGKILL");
      await reapMarked(this.#setting.studyDir, ({ runId }) => runId !== job.run.id);
    } else if (launcher.pid !== undefined) this.#idle.push(launcher);
    return isWarmup && !ending ? OK : this.#judge(exit, ending);
  }

  #judge({ code, message }: Exit, ending: "timeout" | "cancelled" | undefined): Outcome {
    const { timeoutMs } = this.#setting.limits;
    if (ending === "timeout") {
      return { status: "timeout", owner: "agent", reason: `still running after ${timeoutMs / 1000} s` };
    }
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

  #newLauncher(): Launcher {
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
    const launchers = new Set([...this.#idle, ...this.#busy.values()].map(({ pid }) => pid));
    await reapMarked(
      this.#setting.studyDir,
      ({ pid, runId }) => launchers.has(pid) || this.#busy.has(runId) || runId === "",
    );
  }
}
