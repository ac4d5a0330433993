import { lateCostUsd } from "../../archive/late-attempts.ts";
import type { Params } from "../../core/params.ts";
import type { Run } from "../../core/run.ts";
import { type Pending, runStudy as runPending } from "../../engine/run-study.ts";
import { isAlive, markOf, thisProcess } from "../../engine/sweep/living.ts";
import { PointBook } from "../../engine/sweep/point-book.ts";
import { SharedJournal } from "../../engine/sweep/shared-journal.ts";
import { SweepSource } from "../../engine/sweep/sweep-source.ts";
import { systemClock } from "../../engine/system-clock.ts";
import { createExecutor } from "../../executors/index.ts";
import { settingOf } from "../../launch/launch.ts";
import type { RunOptions, StudyResult } from "../../launch/launch-study.ts";
import { openModels } from "../../launch/open-models.ts";
import type { PreparedStudy } from "../../launch/prepare-study.ts";
import { Plan } from "../../plan/plan.ts";
import { studyAt } from "../../plan/study-at.ts";
import { earlyStopping } from "./early-stopping.ts";
import type { OpenedSweep } from "./open-sweep.ts";
import { StoppingExecutor } from "./stopping-executor.ts";
import { sweepRules } from "./sweep-rules.ts";
import { SweepKeeper } from "./tend-sweep.ts";

export interface WorkOptions extends RunOptions {
  /** This worker takes at most so many runs. */
  most?: number;
}

/** Takes and does runs of a sweep until nothing is left, beside as many other workers as there are. */
export async function workSweep(
  prepared: PreparedStudy,
  { ledger, described, total, notes }: OpenedSweep,
  options: WorkOptions = {},
): Promise<StudyResult> {
  const { study, studyDir, program, redactor } = prepared;
  const rules = sweepRules(prepared, ledger);
  const stopping = earlyStopping(prepared);
  const runsOf = (params: Params): Iterable<Run> =>
    new Plan(studyAt(rules().study, params), program, redactor.text).runs();
  const journalPath = `${studyDir}/journal.jsonl`;
  const book = new PointBook(journalPath, runsOf);
  /** Called in reverse order, however the work ends. */
  const ends: (() => void | Promise<void>)[] = [() => ledger.close()];
  try {
    ledger.exclusively(() => {
      // The first worker of a launch does failed runs again; those that join it only take what is open.
      if (options.rerun !== "none" && !ledger.workers().some(isAlive)) ledger.handOutAgain();
      ledger.join();
    });
    const source = new SweepSource({
      ledger,
      book,
      runsOf,
      most: options.most ?? Number.POSITIVE_INFINITY,
      propose: (known) => rules().propose(known),
      isDue: (run) => {
        const status = book.resultOf(run)?.outcome.status;
        return status !== "ok" && status !== "stopped";
      },
      ...(stopping?.isLost && { isLost: stopping.isLost }),
      isEnough: (known) => rules().isEnough(known),
    });
    ledger.exclusively(() => source.lookAgain());
    const finished = book.ended.ok;
    const costBeforeUsd = book.costUsd + lateCostUsd(studyDir);
    const journal = new SharedJournal(journalPath, ledger, redactor);
    const sinks = options.sinks ?? [];
    ends.push(() => journal.close());
    ends.push(() => sinks.forEach((sink) => void sink.close?.()));
    const keeper = await SweepKeeper.start({ studyDir, ledger, book, total, redactor });
    ends.push(() => keeper.close());
    const models = await openModels(prepared, { spentUsd: costBeforeUsd });
    ends.push(() => models.close());
    const setting = settingOf(prepared, described);
    setting.env = { ...setting.env, ASSAY_RUNNER: markOf(thisProcess()) };
    const plain = await createExecutor(study.executor.kind, setting);
    const executor = stopping?.judge
      ? new StoppingExecutor(plain, { studyDir, ledger, book, search: study.search!, judge: stopping.judge })
      : plain;
    ends.push(() => executor.close());
    const summary = await runPending({
      pending: handedOut(source),
      total,
      finished,
      studyDir,
      program,
      executor,
      journal,
      clock: systemClock,
      sinks,
      limits: study.limits,
      failFast: options.failFast ?? false,
      costBeforeUsd,
      stop: options.stop ?? new AbortController().signal,
      kill: options.kill ?? new AbortController(),
      control: keeper,
    });
    ledger.exclusively(() => source.lookAgain());
    // Points that were cut short, or never proposed, are no work that waits.
    if (source.ending && ledger.countClaims() === 0) summary.left = 0;
    return { summary, studyDir, notes, ...(source.ending && { ending: source.ending }) };
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

function* handedOut(source: SweepSource): Generator<Pending | "later"> {
  for (;;) {
    const next = source.next();
    if (next === undefined) return;
    yield next;
  }
}
