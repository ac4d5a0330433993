import type { Clock } from "../core/clock.ts";
import { explainFileError } from "../core/errors.ts";
import type { Executor } from "../core/executor.ts";
import type { ControlRequest } from "../core/live-state.ts";
import { addUsd, durationText, fixedText, purseOf } from "../core/number-text.ts";
import { failed, isFailure, type Run, type RunRecord } from "../core/run.ts";
import type { Sink, StudyEvent, StudySummary } from "../core/sink.ts";
import type { Limits } from "../core/study.ts";
import { attempt } from "./attempt-run.ts";
import type { Journal } from "./journal.ts";
import { type Control, Steering } from "./steering.ts";

/** How soon a source that had nothing is asked again. */
const LATER_MS = 100;

/** A run that is to be done, and why. */
export interface Pending {
  run: Run;
  reason: string;
  /** Attempts that the journal has of it already. */
  attemptsBefore: number;
  /** One of them ended well: what is cancelled now changes nothing about that. */
  hasResult?: boolean;
  /** Its output is there, and only to be scored. */
  generated?: RunRecord;
}

/** Why nothing more may be launched, where whoever hands out the runs knows more than this launch does. */
export interface Held {
  stopped: "budget";
  why: string;
}

export interface StudyRun {
  /** "later": none is ready yet, but what runs here or elsewhere may lead to more. */
  pending: Iterable<Pending | Held | "later">;
  /** Infinite where a search goes on until somebody ends it. */
  total: number;
  finished: number;
  /** How many are pending, where fewer than all that are not finished are meant. */
  meant?: number;
  studyDir: string;
  program: string;
  executor: Executor;
  journal: Pick<Journal, "append" | "failure">;
  clock: Clock;
  sinks: Sink[];
  limits: Pick<Limits, "retries" | "backoffMs" | "costUsd" | "totalCostUsd" | "wallMs">;
  failFast: boolean;
  costBeforeUsd: number;
  /** Aborts to launch nothing more and let what runs finish. */
  stop: AbortSignal;
  /** Aborts to end what runs too. */
  kill: AbortController;
  /** Writes down what a try has cost that no record tells of. */
  keepCost?: (record: RunRecord) => void;
  /** Hears of another limit, where calls to models are held to it, too. */
  onCostLimit?: (limitUsd: number) => void;
  /** Whether runs may be repeated within a launch, where nobody keeps count of them by another rule. */
  mayRepeat?: boolean;
  /** What is asked from outside: to pause, to go on, to cancel. */
  control?: Control;
}

/**
 * Runs what is pending, as many at once as the executor takes, and records each run when it has ended. A run
 * that fails is a record; only the machine's refusals and bugs are thrown, after what runs has been ended.
 */
export async function runStudy(study: StudyRun): Promise<StudySummary> {
  const { executor, journal, clock, sinks, limits, stop, kill } = study;
  /** Either way of stopping ends the launching of runs and of retries. */
  const halt = AbortSignal.any([stop, kill.signal]);
  const start = clock.now();
  const summary: StudySummary = {
    total: study.total,
    skipped: study.finished,
    ok: 0,
    stoppedEarly: 0,
    failed: 0,
    cancelled: 0,
    left: 0,
    wallMs: 0,
    costUsd: study.costBeforeUsd,
  };
  const emit = (event: StudyEvent) => {
    for (const sink of sinks) sink.handle(event);
  };
  let inFlight = 0;
  let isExhausted = false;
  let fatal: unknown;
  let wake = () => {};
  let ended: RunRecord[] = [];

  /** Records that end in one turn of the event loop are written together, before anybody hears of them. */
  const writeDown = () => {
    const records = ended;
    ended = [];
    try {
      journal.append(records);
      if (journal.failure) throw journal.failure;
      for (const record of records) emit({ kind: "ended", record });
    } catch (error) {
      fatal ??= explainFileError(error);
      kill.abort();
    }
    inFlight -= records.length;
    wake();
  };
  /** Why what still runs ended, where the launch's time was over before it. */
  let overtime: string | undefined;
  const conclude = (record: RunRecord) => {
    if (overtime !== undefined && record.outcome.status === "cancelled")
      record.outcome = failed("budget", overtime);
    if (record.outcome.status === "skipped") {
      inFlight--;
      wake();
      return;
    }
    if (isFailure(record.outcome)) summary.failed++;
    else if (record.outcome.status === "cancelled") summary.cancelled++;
    else if (record.outcome.status === "stopped") summary.stoppedEarly++;
    else summary.ok++;
    for (const { costUsd } of [record, ...(record.earlier ?? [])])
      summary.costUsd = addUsd(summary.costUsd, costUsd ?? 0);
    if (study.failFast && isFailure(record.outcome) && !summary.stopped) {
      summary.stopped = "fail-fast";
      emit({ kind: "stopping", why: `${record.id} failed (--fail-fast)` });
      kill.abort();
    }
    if (ended.push(record) === 1) setImmediate(writeDown);
  };
  /** The run's result is what it was; what this try has cost is spent all the same. */
  const forget = (record: RunRecord) => {
    summary.cancelled++;
    const spent = [record, ...(record.earlier ?? [])].reduce(
      (sum, { costUsd }) => addUsd(sum, costUsd ?? 0),
      0,
    );
    summary.costUsd = addUsd(summary.costUsd, spent);
    try {
      if (spent > 0) study.keepCost?.({ ...record, costUsd: spent });
      emit({ kind: "ended", record });
    } catch (error) {
      fatal ??= explainFileError(error);
    }
    inFlight--;
    wake();
  };
  const abandon = (error: unknown) => {
    fatal ??= explainFileError(error);
    inFlight--;
    kill.abort();
    wake();
  };

  const adjust = ({ jobs, costUsd, wallMs, by }: ControlRequest) => {
    if (jobs !== undefined && !executor.resize) {
      emit({
        kind: "notice",
        text: `${executor.name} runs as many at once as its workers take, so jobs stay`,
      });
      if (costUsd === undefined && wallMs === undefined) return;
    } else if (jobs !== undefined) executor.resize!(jobs);
    if (costUsd !== undefined) {
      purse = { whose: "the launch", spentUsd: 0, ...purse, limitUsd: costUsd };
      study.onCostLimit?.(costUsd);
    }
    if (wallMs !== undefined) void endInTime(wallMs - (clock.now() - start));
    emit({
      ...{ kind: "adjusted", by },
      ...(jobs !== undefined && executor.resize && { jobs }),
      ...(costUsd !== undefined && { costUsd }),
      ...(wallMs !== undefined && { wallMs }),
    });
  };
  /** What the infrastructure broke in this launch, and what of it somebody wants to have repeated. */
  const broken = new Map<string, Pending>();
  const again: Pending[] = [];
  const noteBroken = (pending: Pending, { id, outcome, attempt: attemptsBefore }: RunRecord) => {
    if (study.mayRepeat && outcome.status === "failed" && outcome.owner === "infrastructure")
      broken.set(id, { ...pending, reason: "failed before (infrastructure)", attemptsBefore });
  };
  const repeat = (by: string) => {
    if (!study.mayRepeat) {
      emit({
        kind: "notice",
        text: "a search, or a study that decides as it goes, repeats nothing while it runs",
      });
      return;
    }
    again.push(...broken.values());
    summary.failed -= broken.size;
    if (broken.size > 0) emit({ kind: "repeating", by, runs: broken.size });
    broken.clear();
    isExhausted &&= again.length === 0;
  };
  const steering = new Steering({ executor, kill, halt, emit, adjust, repeat, onChange: () => wake() });
  study.control?.listen((request) => steering.handle(request));
  executor.listen?.((text) => emit({ kind: "notice", text }));
  const mayLaunch = () => !summary.stopped && fatal === undefined;
  const spentUsd = () => addUsd(summary.costUsd, executor.lateCostUsd ?? 0);
  let purse = purseOf(limits, study.costBeforeUsd);
  /** Of the purse, which may be that of this launch alone. */
  const takenUsd = () => addUsd(spentUsd() - study.costBeforeUsd, purse?.spentUsd ?? 0);
  stop.addEventListener("abort", () => executor.drain(), { once: true });
  emit({ kind: "planned", total: study.total, finished: study.finished, studyDir: study.studyDir });
  const closing = new AbortController();
  /** Another limit takes the place of the one before. */
  let deadline = new AbortController();
  const endInTime = async (restMs: number) => {
    deadline.abort();
    deadline = new AbortController();
    const own = deadline.signal;
    const wallMs = clock.now() - start + restMs;
    await clock.sleep(Math.max(0, restMs), AbortSignal.any([closing.signal, own]));
    if (own.aborted || closing.signal.aborted || halt.aborted) return;
    overtime = `the time of this launch is over, ${durationText(wallMs)}`;
    summary.stopped ??= "budget";
    emit({ kind: "stopping", why: overtime });
    kill.abort();
    wake();
  };
  if (limits.wallMs !== undefined) void endInTime(limits.wallMs);
  const pending = study.pending[Symbol.iterator]();
  const done = () => summary.ok + summary.stoppedEarly + summary.failed + summary.cancelled;
  const left = () => (study.meant ?? study.total - study.finished) - done();
  let isLater = false;
  let isAlarmSet = false;
  while (!isExhausted || inFlight > 0) {
    isLater = false;
    while (!isExhausted && !isLater && mayLaunch() && !steering.isPaused && inFlight < executor.capacity) {
      if (halt.aborted) isExhausted = true;
      else if (purse && takenUsd() >= purse.limitUsd && left() > inFlight) {
        summary.stopped = "budget";
        emit({
          kind: "stopping",
          why: `${purse.whose} has cost $${fixedText(takenUsd(), 2)} of $${purse.limitUsd}`,
        });
      } else {
        // Asked for only when there is room: a searcher should know all that has ended until then.
        const repeated = again.shift();
        const next: IteratorResult<Pending | Held | "later"> = repeated
          ? { value: repeated }
          : pending.next();
        if (next.done) isExhausted = true;
        else if (next.value === "later") isLater = true;
        else if ("stopped" in next.value) {
          summary.stopped = next.value.stopped;
          emit({ kind: "stopping", why: next.value.why });
        } else {
          inFlight++;
          emit({ kind: "started", run: next.value.run, reason: next.value.reason });
          const one = next.value;
          attempt(one, { study, emit, halt, steering }).then((record) => {
            noteBroken(one, record);
            if (one.hasResult && record.outcome.status === "cancelled") forget(record);
            else conclude(record);
          }, abandon);
        }
      }
    }
    const isWaiting = isLater || (steering.isPaused && left() > 0);
    if (inFlight === 0 && !(mayLaunch() && isWaiting)) break;
    if (isLater && !isAlarmSet) {
      isAlarmSet = true;
      clock.sleep(LATER_MS, halt).then(() => {
        isAlarmSet = false;
        wake();
      });
    }
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
  closing.abort();
  summary.left = study.total - study.finished - done();
  if (halt.aborted && left() + summary.cancelled > 0) summary.stopped ??= "interrupted";
  summary.wallMs = clock.now() - start;
  summary.costUsd = spentUsd();
  if (fatal !== undefined) throw fatal;
  emit({ kind: "closed", summary });
  return summary;
}
