import { lstatSync, type Stats } from "node:fs";
import { UserError } from "../core/errors.ts";
import { sameValue, type Value } from "../core/params.ts";
import { isFailure, isGenerated, OWNERS, type Run, type RunRecord } from "../core/run.ts";
import type { Study } from "../core/study.ts";
import { RUN_FILES, runDir, runOutDir } from "../core/study-folder.ts";
import { readJsonIfAny } from "../host/files.ts";
import type { Plan } from "../plan/plan.ts";
import type { History } from "./history.ts";
import type { Pending } from "./run-study.ts";

export interface Selection {
  plan: Plan;
  history: History;
  studyDir: string;
  program: string;
  /** Which files of the program changed since the launch with that other program; none where nobody knows. */
  changedSince?: (program: string) => string[];
  /** "failed" (the default), "all", whose failures (an owner), or the id of one run, or the beginning of it. */
  rerun: string;
  artifacts: Study["artifacts"];
  /** Why the output of a run is to be scored again; undefined where its scores are what they would be. */
  rescore?: (record: RunRecord) => string | undefined;
  /** Nothing is generated: only outputs that are there are scored. */
  isScoringOnly?: boolean;
  /** Runs for which this does not hold are passed over. */
  isMeant?: (run: Run) => boolean;
}

/** The runs of a plan that have no good result yet, with why; resume is set difference. */
export function* selectPending(selection: Selection): Generator<Pending> {
  const { plan, history } = selection;
  for (const run of plan.runs()) {
    const scoring = reasonToScore(run, selection);
    if (scoring) {
      const { generated, reason } = scoring;
      const { attempt: attemptsBefore, outcome } = generated;
      yield { run, reason, attemptsBefore, generated, ...(outcome.status === "ok" && { hasResult: true }) };
      continue;
    }
    const reason = reasonToRun(run, selection);
    if (reason === undefined) continue;
    if (history.size === 0) yield { run, reason, attemptsBefore: 0 };
    else {
      const attemptsBefore = history.recordOf(run)?.attempt ?? 0;
      yield { run, reason, attemptsBefore, ...(history.isFinished(run) && { hasResult: true }) };
    }
  }
}

/** What is to be scored and why, where a run has left its output; undefined where it is scored, or to be done anew. */
function reasonToScore(
  run: Run,
  { history, rescore, rerun, studyDir, isMeant }: Selection,
): { generated: RunRecord; reason: string } | undefined {
  if (!rescore || history.size === 0 || rerun === "all" || (isMeant && !isMeant(run))) return undefined;
  if (rerun !== "failed" && rerun !== "grader") return undefined;
  const generated = history.recordOf(run);
  if (!generated || !isGenerated(generated)) return undefined;
  const reason = rescore(generated);
  return reason !== undefined && missingOf(generated, studyDir) === undefined
    ? { generated, reason }
    : undefined;
}

function missingOf({ id, files }: RunRecord, studyDir: string): string | undefined {
  return files?.find((file) => !isThere(`${runOutDir(studyDir, id)}/${file}`));
}

function isOwner(word: string): boolean {
  return OWNERS.some((owner) => owner === word);
}

/** Why a run is to be done; undefined when it is not. */
function reasonToRun(
  run: Run,
  { history, program, rerun, studyDir, artifacts, isMeant, isScoringOnly, changedSince }: Selection,
): string | undefined {
  if (isScoringOnly || (isMeant && !isMeant(run))) return undefined;
  if (rerun === "all") return history.size > 0 && history.recordOf(run) ? "asked for (--rerun all)" : "new";
  if (isOwner(rerun)) {
    const outcome = history.recordOf(run)?.outcome;
    return outcome && isFailure(outcome) && outcome.owner === rerun ? `failed before (${rerun})` : undefined;
  }
  if (rerun !== "failed")
    return run.id.startsWith(rerun) || run.id.endsWith(rerun) ? "asked for (--rerun)" : undefined;
  if (!history.isFinished(run)) return history.reasonFor(run, program, changedSince);
  if (artifacts !== "all") return undefined;
  // The record's own id: the same run may have had another label, where it was planned on another axis.
  const record = history.recordOf(run)!;
  const missing = missingOf(record, studyDir);
  return missing === undefined
    ? metaProblem(`${runDir(studyDir, record.id)}/${RUN_FILES.meta}`, record)
    : `output missing: ${missing}`;
}

/** A file that was written so soon after its run ended was written by whoever ran it. */
const WRITTEN_MS = 2000;

/** meta.json is gone, or tells of another run than the record does: somebody edited it. */
function metaProblem(path: string, record: RunRecord): string | undefined {
  const stats = statsOf(path);
  if (stats === undefined) return "output missing: meta.json";
  // Most were never touched, and reading each one of many thousand takes its time.
  if (stats.mtimeMs <= record.startedAtMs + record.wallMs + WRITTEN_MS) return undefined;
  const meta = readJsonIfAny<Record<string, Value>>(path, { isForeign: true });
  const { params, seed, variant, flags, outcome } = record;
  const isOurs =
    sameValue(meta?.params, { ...params, seed }) &&
    meta?.ablation_name === variant &&
    sameValue(meta?.ablation_flags, flags) &&
    (meta?.exit_code ?? 0) === (outcome.exitCode ?? 0);
  return isOurs ? undefined : "meta.json was edited";
}

/** A link that leads nowhere is there: the run left it so. What nobody may look at is not. */
function isThere(path: string): boolean {
  return statsOf(path) !== undefined;
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

export interface Count {
  pending: number;
  /** Of the pending: those whose output is there, and only to be scored. */
  scoring: number;
  finished: number;
}

/** How many runs a selection has, and how many others have a good result, without keeping them. */
export function countPending(selection: Selection): Count {
  const { plan, history, rerun, isMeant, isScoringOnly } = selection;
  if (isScoringOnly && history.size === 0) return { pending: 0, finished: 0, scoring: 0 };
  if (history.size === 0 && !isMeant && (rerun === "failed" || rerun === "all"))
    return { pending: plan.count(), finished: 0, scoring: 0 };
  const count: Count = { pending: 0, finished: 0, scoring: 0 };
  for (const run of plan.runs()) {
    if (reasonToScore(run, selection)) {
      count.pending++;
      count.scoring++;
    } else if (reasonToRun(run, selection) !== undefined) count.pending++;
    else if (history.isFinished(run)) count.finished++;
  }
  if (count.pending === 0 && rerun !== "failed" && rerun !== "all" && !isOwner(rerun)) {
    throw new UserError(`--rerun ${rerun}: no run of this study has that id`, {
      remedy: "`assay plan FILE --runs` lists them.",
    });
  }
  return count;
}
