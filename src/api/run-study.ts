import { existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname } from "node:path";
import { asMachineError, errorText, UserError } from "../core/errors.ts";
import { canonicalJson, shortHash } from "../core/hash.ts";
import type { Study } from "../core/study.ts";
import type { StudyFile } from "../core/study-file.ts";
import { describeGit, describeMachine, describePackages } from "../engine/environment.ts";
import { History } from "../engine/history.ts";
import { Journal } from "../engine/journal.ts";
import { Lock } from "../engine/lock.ts";
import { countPending, type Selection, selectPending } from "../engine/pending.ts";
import { replaceFile } from "../engine/replace-file.ts";
import { runStudy as runPending } from "../engine/run-study.ts";
import { systemClock } from "../engine/system-clock.ts";
import type { Setting } from "../executors/executor.ts";
import { createExecutor } from "../executors/index.ts";
import { reapMarked } from "../executors/marked-processes.ts";
import { LiveFile } from "../sinks/live-file.ts";
import type { Sink, StudySummary } from "../sinks/sink.ts";
import { loadStudy, type Overrides } from "./load-study.ts";
import { packageFile } from "./package-file.ts";
import { type PreparedStudy, prepareStudy } from "./prepare-study.ts";

/** A study with more seeds than this has a study.json for programs only: a line a seed helps nobody. */
const MOST_LINES = 1000;

export interface RunOptions extends Overrides {
  /** What to do again: "failed" (the default), "all", or the id of one run. */
  rerun?: string;
  /** Starts anew; the results so far move to a folder beside, named by the time. */
  fresh?: boolean;
  failFast?: boolean;
  sinks?: Sink[];
  /** Aborts to launch nothing more and let what runs finish. */
  stop?: AbortSignal;
  /** Aborts to end what runs too. */
  kill?: AbortController;
}

export interface StudyResult {
  summary: StudySummary;
  studyDir: string;
  notes: string[];
}

/** Runs a study file to its end, or goes on where an earlier launch of it stopped. */
export async function runStudy(path: string, options: RunOptions = {}): Promise<StudyResult> {
  return runPrepared(await prepareStudy(loadStudy(path, options)), options);
}

export async function runPrepared(prepared: PreparedStudy, options: RunOptions = {}): Promise<StudyResult> {
  const { study, plan, program, studyDir, redactor } = prepared;
  const notes: string[] = [];
  if (options.fresh && existsSync(studyDir)) notes.push(await moveAside(studyDir));
  makeFolder(studyDir);
  const lock = await Lock.take(studyDir, redactor.text);
  try {
    const orphans = await reapMarked(studyDir, () => false);
    if (orphans > 0)
      notes.push(`ended ${orphans} process${orphans === 1 ? "" : "es"} left over by an earlier launch`);
    const journalPath = `${studyDir}/journal.jsonl`;
    const history = new History(journalPath, plan.axisNames);
    if (history.brokenLines > 0)
      notes.push(`passed over ${history.brokenLines} unreadable lines of journal.jsonl`);
    const artifacts = study.artifacts;
    const selection: Selection = {
      plan,
      history,
      studyDir,
      program,
      rerun: options.rerun ?? "failed",
      artifacts,
      ...(prepared.isMeant && { isMeant: prepared.isMeant }),
    };
    const { finished } = countPending(selection);
    replaceFile(
      `${studyDir}/study.json`,
      redactor.text(
        `${JSON.stringify(describeLaunch(prepared, plan.count()), null, study.seeds.length > MOST_LINES ? 0 : 2)}\n`,
      ),
    );
    const journal = new Journal(journalPath, history, redactor);
    const sinks = [...(options.sinks ?? []), new LiveFile(studyDir, redactor)];
    const executor = await createExecutor(study.executor.kind, settingOf(prepared));
    try {
      const summary = await runPending({
        pending: selectPending(selection),
        total: plan.count(),
        finished,
        studyDir,
        program,
        executor,
        journal,
        clock: systemClock,
        sinks,
        limits: study.limits,
        failFast: options.failFast ?? false,
        costBeforeUsd: history.costUsd,
        stop: options.stop ?? new AbortController().signal,
        kill: options.kill ?? new AbortController(),
      });
      return { summary, studyDir, notes };
    } finally {
      await executor.close();
      for (const sink of sinks) sink.close?.();
      history.close();
      journal.close();
    }
  } finally {
    lock.release();
  }
}

function settingOf({ study, studyDir, spec }: PreparedStudy): Setting {
  return {
    target: study.target,
    studyDir,
    baseDir: dirname(spec.path),
    artifacts: study.artifacts,
    limits: study.limits,
    warmup: study.repeats.warmup,
    instruments: study.instruments,
    env: study.env,
    jobs: study.executor.jobs || availableParallelism(),
  };
}

function makeFolder(studyDir: string): void {
  try {
    mkdirSync(studyDir, { recursive: true });
  } catch (error) {
    const refusal = asMachineError(error);
    if (refusal !== error) throw refusal;
    throw new UserError(`the folder ${studyDir} can't be made (${errorText(error)})`, {
      remedy: "Name another place: --out-root.",
    });
  }
}

/** A study that is running can't be moved: the lock is asked first. */
async function moveAside(studyDir: string): Promise<string> {
  const lock = await Lock.take(studyDir);
  lock.release();
  const stamp = new Date().toISOString().replaceAll(/[-:]/g, "").replace("T", "-").slice(0, 15);
  const base = `${studyDir}@${stamp}`;
  let aside = base;
  for (let i = 2; existsSync(aside); i++) aside = `${base}-${i}`;
  renameSync(studyDir, aside);
  return `the results so far are in ${aside}`;
}

function describeLaunch({ study, spec, program, studyDir }: PreparedStudy, total: number): StudyFile {
  const launch = {
    at: new Date().toISOString(),
    command: ["assay", ...process.argv.slice(2)].join(" "),
    specHash: spec.hash,
    program,
    plan: planHash(study, program),
  };
  return {
    format: 1,
    name: study.name,
    program,
    study,
    total,
    spec,
    environment: describeMachine(),
    packages: describePackages(packageFile()),
    git: describeGit(dirname(spec.path)),
    launches: [...launchesBefore(studyDir), launch],
  };
}

function planHash({ params, axes, variants, where, seeds, repeats }: Study, program: string): string {
  return shortHash(canonicalJson({ program, params, axes, variants, where, seeds, repeats }));
}

function launchesBefore(studyDir: string): StudyFile["launches"] {
  try {
    return (JSON.parse(readFileSync(`${studyDir}/study.json`, "utf8")) as StudyFile).launches ?? [];
  } catch {
    return [];
  }
}
