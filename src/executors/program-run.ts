import { statSync } from "node:fs";
import { errorText } from "../core/errors.ts";
import type { Job, Setting } from "../core/executor.ts";
import { preempted } from "../core/preemption.ts";
import type { Redactor } from "../core/redact.ts";
import { type Attempt, failed, type Outcome } from "../core/run.ts";
import type { CommandRef } from "../core/study.ts";
import { startTimer } from "../host/clock.ts";
import { reapMarked } from "../host/processes.ts";
import type { BoundInstrument, EndInstrument } from "../instruments/instrument.ts";
import { measuredCommand, startInstruments } from "../instruments/start-instruments.ts";
import { commandWords } from "../targets/command/fill-argv.ts";
import { readOutput, readPrinted } from "../targets/command/read-printed.ts";
import { writeSweepFiles } from "../targets/command/sweep-files.ts";
import { type Launched, launchIterations, timesOf, unlessUnread } from "./iterations/launch-iterations.ts";
import { judgeExit, withLastWords } from "./judge-exit.ts";
import type { Exit, Launcher } from "./launcher.ts";
import { takeAttempt, writeJobFile } from "./module-command.ts";
import type { OutputCap } from "./output-cap.ts";
import { clearResults, type Results } from "./read-results.ts";
import { runEnv, scoredPlaces } from "./run-env.ts";
import { RunFolder } from "./run-folder.ts";
import { undone, unstarted } from "./task.ts";

/** A run that is under way for this long gets its meta.json before its end; a short one only at its end. */
const INTRODUCE_MS = 500;

/** What all runs of an executor have in common. */
export interface ProgramSetting {
  setting: Setting;
  redactor: Redactor;
  instruments: readonly BoundInstrument[];
  isTimed: boolean;
  /** The absolute path, then what the command's other words are made of. */
  program: string;
  words: Pick<CommandRef, "argv" | "sweepArgs" | "metrics">;
  cwd: string;
  cap: OutputCap;
  /** Processor time of all programs, up to now. */
  ownSeconds(): number;
}

/**
 * One try at a run as a program, from its folder to its result. It has its launcher from the first launch to the exit
 * of the last one, and one limit of time for all of them. Whatever ends it, ends it here; with the launcher go its
 * timers, so none of them can meet the run after it.
 */
export class ProgramRun {
  readonly #job: Job;
  readonly #shared: ProgramSetting;
  readonly #folder: RunFolder;
  readonly #argv: string[];
  readonly #isModule: boolean;
  #launcher: Launcher | undefined;
  #passOn = () => {};
  #stopTimers: (() => void)[] = [];
  /** Launches that are still to come, this one included. */
  #launchesLeft: number;
  #ending: Outcome | "timeout" | undefined;
  /** It was asked to end, and may still say how. */
  #isPreempted = false;
  /** Where in stdout the newest launch began. */
  #printedBefore = 0;
  /** What went wrong outside of anything that waits for it. */
  #problem: unknown;

  /** Makes its folder ready; nothing runs yet. */
  constructor(job: Job, shared: ProgramSetting) {
    const { setting, redactor, program, words } = shared;
    this.#job = job;
    this.#shared = shared;
    this.#isModule = setting.target.kind !== "command";
    this.#launchesLeft = this.#isModule ? 1 : setting.iterations.warmup + setting.iterations.measured;
    this.#folder = new RunFolder(job, setting, redactor);
    this.#folder.open();
    if (this.#isModule) writeJobFile(this.#folder.dir, job, setting);
    writeSweepFiles(words, job.run, this.#folder.outDir);
    this.#argv = [
      program,
      ...commandWords(words, job.run, this.#folder.outDir, scoredPlaces(setting, job.run)),
    ];
  }

  /** Ends it at once with this outcome, whether it has begun or not. */
  cancel(outcome: Outcome): void {
    this.#ending ??= outcome;
    this.#launcher?.kill();
  }

  /** Asks it to end, and ends it after its grace. */
  preempt(): void {
    const { graceMs } = this.#shared.setting.limits;
    if (!this.#launcher || graceMs === 0) this.cancel({ status: "cancelled" });
    if (this.#ending) return;
    this.#isPreempted = true;
    this.#launcher!.terminate();
    this.#after(graceMs, () => this.cancel({ status: "cancelled" }));
  }

  /** Gives back what was made ready for nothing: an earlier result stands where it stood. */
  giveUp(): Attempt {
    this.#folder.restore();
    return unstarted(typeof this.#ending === "object" ? this.#ending : { status: "skipped" });
  }

  /** Runs it; `passOn` is called once, as soon as the launcher is free for others. */
  async carryOut(launcher: Launcher, passOn: () => void): Promise<Attempt> {
    if (this.#ending) {
      passOn();
      return this.giveUp();
    }
    this.#launcher = launcher;
    this.#passOn = passOn;
    this.#watchTime();
    let attempt: Attempt;
    try {
      attempt = this.#isModule ? await this.#callModule() : await this.#callProgram();
    } catch (error) {
      attempt = undone(error);
    } finally {
      this.#letGo();
    }
    const { setting } = this.#shared;
    if (this.#ending || this.#isPreempted)
      await reapMarked(setting, ({ runId }) => runId !== this.#job.run.id);
    if (this.#problem !== undefined) throw this.#problem;
    this.#folder.end(attempt, this.#argv, this.#shared.cwd);
    delete attempt.iterations;
    delete attempt.environment;
    return attempt;
  }

  #watchTime(): void {
    const { setting, cwd } = this.#shared;
    const { timeoutMs, graceMs } = setting.limits;
    const startedAtMs = Date.now();
    this.#after(INTRODUCE_MS, () => this.#folder.begin(this.#argv, cwd, startedAtMs));
    if (timeoutMs === 0) return;
    this.#after(timeoutMs, () => {
      this.#ending ??= "timeout";
      if (graceMs === 0) return this.#launcher?.kill();
      this.#launcher?.terminate();
      this.#after(graceMs, () => this.#launcher?.kill());
    });
  }

  /** What a timer can't do ends the run, and is told by who waits for it. */
  #after(ms: number, act: () => void): void {
    const stop = startTimer(ms, () => {
      try {
        act();
      } catch (error) {
        this.#problem ??= error;
        this.cancel(failed("infrastructure", errorText(error)));
      }
    });
    this.#stopTimers.push(stop);
  }

  #stopWatching(): void {
    for (const stop of this.#stopTimers) stop();
    this.#stopTimers = [];
  }

  /** The launcher goes to whoever waits for it, before anybody looks at what the program left. */
  #letGo(): void {
    const launcher = this.#launcher;
    if (!launcher) return;
    this.#stopWatching();
    this.#launcher = undefined;
    this.#shared.cap.unwatch(this.#folder);
    // What left the group, or ignored TERM while its parent obeyed, must go before another program comes.
    if (this.#ending || this.#isPreempted) launcher.kill();
    this.#passOn();
  }

  /** The program is launched as often as the study says; each launch's results are read when it has ended. */
  async #callProgram(): Promise<Attempt> {
    const { setting, isTimed, ownSeconds } = this.#shared;
    const { outDir } = this.#folder;
    const { iterations, result } = setting;
    if (iterations.warmup > 0 || iterations.measured > 1 || result !== undefined) {
      const attempt = await launchIterations({
        setting,
        isTimed,
        launch: (iteration) => this.#launch(iteration),
        read: () => this.#readResults(),
        clear: () => clearResults(outDir),
        ownSeconds,
      });
      attempt.files = this.#folder.results().files;
      return attempt;
    }
    const launched = await this.#launch(0);
    const { outcome, startedAtMs, wallMs, measured, warnings: own = [] } = launched;
    // First all launchers that got free in this turn get their next program, then files are read.
    await new Promise((resolve) => setImmediate(resolve));
    const { metrics, labels, warnings, files, problem } = this.#readResults();
    const attempt: Attempt = { outcome: unlessUnread(outcome, problem), metrics, startedAtMs, wallMs, files };
    Object.assign(metrics, measured, isTimed && timesOf(launched, metrics));
    if (Object.keys(labels).length > 0) attempt.labels = labels;
    if (warnings.length + own.length > 0) attempt.warnings = [...warnings, ...own];
    if (typeof metrics.cost_usd === "number") attempt.costUsd = metrics.cost_usd;
    return attempt;
  }

  /** What the newest launch left in its folder, and what it printed. */
  #readResults(): Results {
    const results = this.#folder.results();
    const { metrics: patterns } = this.#shared.words;
    if (!patterns) return results;
    const { metrics, problem } = readPrinted(readOutput(this.#folder.stdout, this.#printedBefore), patterns);
    Object.assign(results.metrics, metrics);
    if (problem !== undefined) results.problem = this.#shared.redactor.text(problem);
    return results;
  }

  /** A module iterates by itself, in the one process that it gets, and says how that went. */
  async #callModule(): Promise<Attempt> {
    const { outcome, startedAtMs, wallMs, measured, warnings = [] } = await this.#launch(0);
    const told = takeAttempt(this.#folder.dir, this.#shared.setting);
    if (!told || ["cancelled", "stopped"].includes(outcome.status)) {
      // Its last act is to say how it went: without that, it left before it was done.
      const isSilent = outcome.status === "ok";
      return {
        outcome: isSilent ? failed("agent", "the module ended its process without a result", 0) : outcome,
        metrics: {},
        startedAtMs,
        wallMs,
      };
    }
    const isOwnWord = outcome.status === "ok" || outcome.status === "failed";
    const { files } = this.#folder.results();
    if (told.iterations && measured && Object.keys(measured).length > 0)
      told.iterations.ofRun = { ...told.iterations.ofRun, ...measured };
    return {
      ...told,
      metrics: { ...told.metrics, ...measured },
      ...(warnings.length > 0 && { warnings: [...(told.warnings ?? []), ...warnings] }),
      outcome: isOwnWord ? { ...told.outcome, exitCode: outcome.exitCode ?? 1 } : outcome,
      files,
    };
  }

  async #launch(iteration: number): Promise<Launched> {
    const { instruments, cap, redactor } = this.#shared;
    const { stdout, stderr, outDir } = this.#folder;
    const launcher = this.#launcher;
    const startedAtMs = Date.now();
    this.#printedBefore = sizeOf(stdout);
    const complainedBefore = sizeOf(stderr);
    if (this.#ending || this.#isPreempted || !launcher)
      return { outcome: this.#judge(KILLED), startedAtMs, wallMs: 0 };
    const argv = measuredCommand(this.#argv, instruments, { outDir, iteration });
    const warnings: string[] = [];
    cap.watch(this.#folder);
    let endInstruments: EndInstrument | undefined;
    if (instruments.length > 0) {
      const warn = (text: string) => void warnings.push(text);
      endInstruments = await startInstruments(instruments, {
        outDir,
        pid: launcher.ready(),
        iteration,
        warn,
      });
    }
    this.#folder.checkCaptured();
    const start = performance.now();
    // Cancelled, or late, before it began: there is nothing that could be ended any more.
    const exit = this.#ending
      ? KILLED
      : await launcher.launch({
          argv,
          env: runEnv(this.#job, this.#shared, this.#folder),
          stdout,
          stderr,
        });
    const wallMs = performance.now() - start;
    const isLast = --this.#launchesLeft === 0 || exit.code !== 0;
    // A run that has ended can't be late any more, however long its instruments take.
    if (isLast) this.#stopWatching();
    if (isLast && !endInstruments) this.#letGo();
    const measured = endInstruments ? await endInstruments() : {};
    if (isLast) this.#letGo();
    const outcome = withLastWords(this.#judge(exit), { path: stderr, fromByte: complainedBefore, redactor });
    return { ...exit, outcome, startedAtMs, wallMs, measured, warnings };
  }

  #judge(exit: Exit): Outcome {
    if (typeof this.#ending === "object") return this.#ending;
    if (this.#isPreempted) return preempted(exit.code);
    return judgeExit(exit, this.#ending && this.#shared.setting.limits.timeoutMs);
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

const KILLED: Exit = { code: null, message: "" };
