import { closeSync, existsSync, lstatSync, readSync, type Stats } from "node:fs";
import { UserError } from "../core/errors.ts";
import { HashTable } from "../core/hash.ts";
import { addUsd } from "../core/number-text.ts";
import { type Params, sameValue, type Value } from "../core/params.ts";
import { PREEMPTED } from "../core/preemption.ts";
import { type JournalContents, JournalReader } from "../core/read-journal.ts";
import { hashOf, isFailure, isGenerated, OWNERS, type Run, type RunRecord, STATUSES } from "../core/run.ts";
import type { Study } from "../core/study.ts";
import { RUN_FILES, runDir, runOutDir } from "../core/study-folder.ts";
import { openFile, readJsonIfAny } from "../host/files.ts";
import { explainProgram, PROGRAM_CHANGED, slotHash } from "../plan/identify.ts";
import type { Plan } from "../plan/plan.ts";
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

const CHUNK_BYTES = 1 << 20;

/** Why a run runs, in words for people. */
export type Reason = string;

/** What the journal of a study says of runs that ended before, small enough for millions of them. */
export class History {
  readonly #path: string;
  readonly #axisNames: readonly string[];
  /** Byte offset of the newest record, by the run's hash and by its place in the matrix. */
  readonly #byRun = new HashTable();
  readonly #bySlot = new HashTable();
  readonly #statuses = new HashTable();
  #file: number | undefined;
  goodBytes = 0;
  needsNewline = false;
  brokenLines = 0;
  firstBroken: JournalContents["firstBroken"];
  costUsd = 0;

  constructor(path: string, axisNames: readonly string[]) {
    this.#path = path;
    this.#axisNames = axisNames;
    if (existsSync(path)) this.#load();
  }

  /** Runs with a record. */
  get size(): number {
    return this.#byRun.size;
  }

  /** Whether the newest record of a run says that it ended well. */
  isFinished(run: Run): boolean {
    const status = this.#statuses.get(keyOf(hashOf(run.id)));
    return status !== undefined && status < FIRST_UNFINISHED;
  }

  recordOf(run: Run): RunRecord | undefined {
    const offset = this.#byRun.get(keyOf(hashOf(run.id)));
    return offset === undefined ? undefined : this.#readAt(offset);
  }

  /** Why a run without a good record must run. */
  reasonFor(run: Run, program: string, changedSince: (program: string) => string[] = () => []): Reason {
    const own = this.recordOf(run);
    if (own?.outcome.reason === PREEMPTED) return "preempted before";
    if (own) return own.outcome.status === "cancelled" ? "cancelled before" : "failed before";
    if (this.size === 0) return "new";
    const offset = this.#bySlot.get(keyOf(slotHash(run, this.#axisNames)));
    const before = offset === undefined ? undefined : this.#readAt(offset);
    if (!before) return "new";
    const changes = changedParams(before.params, run.params);
    if (changes !== "") return `params changed: ${changes}`;
    if (before.program !== program) {
      const reason = explainProgram(before.program, program);
      const files = reason === PROGRAM_CHANGED ? changedSince(before.program) : [];
      return files.length === 0 ? reason : `${reason}: ${files.join(", ")}`;
    }
    return changedContent(before.taskVersion, run.taskVersion);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #load(): void {
    const reader = new JournalReader((record, offset) => {
      const hash = keyOf(hashOf(record.id));
      // Of another tool: no plan has such a run.
      if (Number.isNaN(hash)) return;
      this.#byRun.set(hash, offset);
      this.#bySlot.set(keyOf(slotHash(record, this.#axisNames)), offset);
      this.#statuses.set(hash, STATUSES.indexOf(record.outcome.status));
      for (const { costUsd } of [record, ...(record.earlier ?? [])])
        this.costUsd = addUsd(this.costUsd, costUsd ?? 0);
    });
    const file = openFile(this.#path);
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (let bytes = readSync(file, chunk); bytes > 0; bytes = readSync(file, chunk)) {
      reader.push(chunk.subarray(0, bytes));
    }
    closeSync(file);
    Object.assign(this, reader.end());
  }

  #readAt(offset: number): RunRecord {
    this.#file ??= openFile(this.#path);
    for (let size = 1 << 12; ; size *= 4) {
      const bytes = Buffer.allocUnsafe(size);
      const read = readSync(this.#file, bytes, 0, size, offset);
      const end = bytes.subarray(0, read).indexOf(10);
      if (end < 0 && read === size) continue;
      return JSON.parse(bytes.toString("utf8", 0, end < 0 ? read : end)) as RunRecord;
    }
  }
}

function changedContent(before = "", now = ""): Reason {
  if (before === now) return "new";
  return before.split("+")[0] === now.split("+")[0] ? "files of its parameters changed" : "task changed";
}

/** Those that are results come first. */
const FIRST_UNFINISHED = STATUSES.indexOf("failed");

/** The hash of a run as a number: 48 bits, which a double holds exactly. */
function keyOf(hash: string): number {
  return Number.parseInt(hash, 16);
}

function changedParams(before: Params, now: Params): string {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  const changes: string[] = [];
  for (const name of names) {
    if (!sameValue(before[name], now[name]))
      changes.push(`${name} ${show(before[name])} -> ${show(now[name])}`);
  }
  return changes.join(", ");
}

function show(value: unknown): string {
  return value === undefined ? "(absent)" : JSON.stringify(value);
}
