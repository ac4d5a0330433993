import { existsSync } from "node:fs";
import { relative } from "node:path";
import { addLateAttempt, lateCostUsd } from "../archive/read-records.ts";
import type { Decision, MakeDecider } from "../core/decider.ts";
import { errorText, UserError } from "../core/errors.ts";
import type { Executor, Setting } from "../core/executor.ts";
import { ownMembers } from "../core/family.ts";
import { purseOf } from "../core/number-text.ts";
import { brokenLinesText } from "../core/read-journal.ts";
import type { RunRecord } from "../core/run.ts";
import type { Sink, SinkKind, StudySummary } from "../core/sink.ts";
import type { Ending } from "../core/space.ts";
import type { Doomed } from "../core/stall.ts";
import type { Limits, Study } from "../core/study.ts";
import { STUDY_FILES } from "../core/study-folder.ts";
import type { Warning } from "../core/warning.ts";
import { Journal, LiveFile, lastSeen } from "../engine/journal.ts";
import { countPending, History, type Selection, selectPending } from "../engine/pending.ts";
import { runStudy as runPending } from "../engine/run-study.ts";
import { ControlFolder } from "../engine/steering.ts";
import { createExecutor } from "../executors/index.ts";
import { systemClock } from "../host/clock.ts";
import { Lock } from "../host/lock.ts";
import { isClusters, reapMarked } from "../host/processes.ts";
import { reasonToScore } from "../scoring/scorer.ts";
import {
  changedSince,
  codeChange,
  makeFolder,
  moveAside,
  planChange,
  settingOf,
  writeStudyFile,
} from "./launch-folder.ts";
import type { Overrides } from "./load-study.ts";
import { openModels, type PreparedStudy } from "./prepare-study.ts";

export interface RunOptions extends Overrides {
  /** What to do again: "failed" (the default), "all", whose failures ("infrastructure"), or the id of one run. */
  rerun?: string;
  /** Starts anew; the results so far move to a folder beside, named by the time. */
  fresh?: boolean;
  failFast?: boolean;
  /** Scores outputs that are there, and generates nothing; "all": also those whose scores are what they would be. */
  scoring?: "stale" | "all";
  /** For a study that decides as it goes: who says when it has. */
  decider?: MakeDecider;
  sinks?: Sink[];
  /** Aborts to launch nothing more and let what runs finish. */
  stop?: AbortSignal;
  /** Aborts to end what runs too. */
  kill?: AbortController;
}

export interface StudyResult {
  summary: StudySummary;
  studyDir: string;
  notes: Warning[];
  /** What a study says that decides as it goes. */
  decision?: Decision;
  /** Why a search proposes nothing more. */
  ending?: Ending;
}

/** Runs what a study without a search still lacks. */
export async function launchStudy(prepared: PreparedStudy, options: RunOptions): Promise<StudyResult> {
  const { study, plan, program, studyDir, redactor } = prepared;
  const notes: Warning[] = [];
  if (options.fresh && existsSync(studyDir)) notes.push(await moveAside(studyDir));
  makeFolder(studyDir);
  const lock = await Lock.take(studyDir, redactor.text);
  try {
    const orphans = await reapMarked({ studyDir }, isClusters);
    if (orphans > 0) {
      const text = `ended ${orphans} process${orphans === 1 ? "" : "es"} left over by an earlier launch`;
      notes.push({ kind: "ended-leftovers", level: "info", text });
    }
    const lastSeenMs = lastSeen(studyDir);
    const journalPath = `${studyDir}/${STUDY_FILES.journal}`;
    const history = new History(journalPath, plan.axisNames);
    const broken = brokenLinesText(relative(process.cwd(), studyDir), history);
    if (broken !== undefined) notes.push({ kind: "broken-lines", level: "warn", text: broken });
    const artifacts = study.artifacts;
    const selection: Selection = {
      plan,
      history,
      studyDir,
      program,
      changedSince: changedSince(prepared),
      rerun: options.rerun ?? "failed",
      artifacts,
      ...(prepared.isMeant && { isMeant: prepared.isMeant }),
      ...scoringOf(prepared, options),
    };
    const launch = study.isStamped
      ? (await import("./kept-apart.ts")).openLaunch(prepared, options.rerun)
      : undefined;
    if (launch) selection.isMeant = launch.isMeant;
    const decided =
      study.analysis.decide && options.decider
        ? new (await import("./decide-runs.ts")).DecidedRuns(prepared, history, options.decider)
        : undefined;
    const doomed = study.limits.doomed && (await openDoomed(prepared, history, study.limits.doomed));
    const count = decided?.counts ?? countPending(selection);
    const finished = count.finished + (launch?.settled ?? 0);
    const described = writeStudyFile(prepared, plan.count(), {
      isIdle: count.pending === 0 && finished > 0,
      done: history.size,
    });
    const changed = finished > 0 ? codeChange(described) : undefined;
    const deviation = planChange(described);
    notes.push(...[changed, deviation].filter((note) => note !== undefined));
    const journal = new Journal(journalPath, history, redactor);
    const sinks: Sink[] = [
      ...(decided ? [decided] : []),
      ...(doomed ? [doomed.runs] : []),
      ...(launch?.sinks ?? []),
      ...(options.sinks ?? []),
      ...ownSinks(prepared, options.sinks ?? []),
      new LiveFile(studyDir, redactor),
    ];
    decided?.listen(sinks);
    const spentUsd = history.costUsd + lateCostUsd(studyDir);
    const limits = limitsOf(study);
    const models = await openModels(prepared, { limits, beforeUsd: spentUsd });
    const purse = purseOf(limits, spentUsd);
    const setting: Setting = {
      ...settingOf(prepared, described),
      // What a fleet has spent is counted over all launches.
      ...(purse && { limits: { ...limits, costUsd: purse.limitUsd - purse.spentUsd + spentUsd } }),
      spentUsd,
      lastSeenMs,
    };
    const plain = await openExecutor(prepared, setting, options.scoring === "all");
    const executor = doomed?.around(plain) ?? plain;
    const control = new ControlFolder(studyDir);
    try {
      const summary = await runPending({
        pending: decided?.pending(executor.capacity) ?? selectPending(selection),
        total: plan.count(),
        finished,
        meant: count.pending,
        studyDir,
        program,
        executor,
        journal,
        clock: systemClock,
        sinks,
        limits,
        failFast: options.failFast ?? false,
        costBeforeUsd: spentUsd,
        stop: options.stop ?? new AbortController().signal,
        kill: options.kill ?? new AbortController(),
        keepCost: (record) => addLateAttempt(studyDir, record),
        onCostLimit: (usd) => models.setLimit(usd),
        mayRepeat: decided === undefined,
        control,
      });
      return { summary, studyDir, notes, ...(decided && { decision: decided.decision }) };
    } finally {
      control.close();
      await executor.close();
      await models.close();
      for (const sink of sinks) sink.close?.();
      history.close();
      journal.close();
    }
  } finally {
    lock.release();
  }
}

/** What ends runs that make no progress, by the series that they leave. */
async function openDoomed(prepared: PreparedStudy, history: History, doomed: Doomed) {
  const { artifacts } = prepared.study;
  if (artifacts !== "all")
    throw new UserError("limits.doomed reads the series of the runs, which this study does not keep", {
      expected: "artifacts: all",
      got: `artifacts: ${artifacts}`,
    });
  const [{ DoomedRuns }, { StoppingExecutor }] = await Promise.all([
    import("./doomed-runs.ts"),
    import("./stopping-executor.ts"),
  ]);
  const runs = new DoomedRuns(prepared, history, doomed);
  return { runs, around: (executor: Executor) => new StoppingExecutor(executor, runs.rule) };
}

/** Those of the study's plugins; what fails in them is told to the others. */
export function ownSinks({ study, studyDir }: PreparedStudy, others: readonly Sink[]): Sink[] {
  const kinds = ownMembers<SinkKind>("sink", study.plugins ?? []);
  const tell = (text: string) => {
    for (const sink of others) sink.handle({ kind: "notice", text });
  };
  return openSinks(kinds, { name: study.name, studyDir }, tell);
}

/** Whatever carries out the runs, and scores what they leave. */
export async function openExecutor(
  { study, scorers }: PreparedStudy,
  setting: Setting,
  isScoredAgain = false,
): Promise<Executor> {
  const plain = await createExecutor(study.executor.kind, setting);
  if (!study.score) return plain;
  const { ScoringExecutor } = await import("../scoring/scoring-executor.ts");
  return ScoringExecutor.around(plain, setting, { scorers: study.score, versions: scorers, isScoredAgain });
}

/** Which outputs are scored again: those that a scorer has not seen in the state that it has now. */
export function scoringOf(
  { study, scorers }: PreparedStudy,
  { scoring }: Pick<RunOptions, "scoring"> = {},
): Pick<Selection, "rescore" | "isScoringOnly"> {
  if (!study.score || study.search || study.analysis.decide) return {};
  const rescore = (record: RunRecord) =>
    reasonToScore(scorers, record) ?? (scoring === "all" ? "asked for" : undefined);
  return { rescore, ...(scoring && { isScoringOnly: true }) };
}

/** A folder that is one launch's, resumed as often as need be, has one budget. */
function limitsOf({ limits, isStamped }: Study): Limits {
  const { costUsd, ...rest } = limits;
  if (!isStamped || costUsd === undefined) return limits;
  return { ...rest, totalCostUsd: Math.min(costUsd, rest.totalCostUsd ?? costUsd) };
}

/** A user's sinks, kept from harming the study: one that throws is told of once and hears nothing more. */
export function openSinks(
  kinds: readonly SinkKind[],
  study: { name: string; studyDir: string },
  tell: (text: string) => void,
): Sink[] {
  return kinds.map((kind) => {
    let sink: Sink | undefined;
    const guarded = (action: () => void) => {
      try {
        action();
      } catch (error) {
        sink = undefined;
        tell(`the sink ${kind.name} failed and hears nothing more: ${errorText(error)}`);
      }
    };
    guarded(() => {
      sink = kind.open(study);
    });
    return {
      handle: (event) => guarded(() => sink?.handle(event)),
      close: () => guarded(() => sink?.close?.()),
    };
  });
}
