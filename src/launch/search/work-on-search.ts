import { lateCostUsd } from "../../archive/read-records.ts";
import { UserError } from "../../core/errors.ts";
import { usdText } from "../../core/number-text.ts";
import type { Params } from "../../core/params.ts";
import { STUDY_FILES, titleOf } from "../../core/study-folder.ts";
import { type Held, type Pending, runStudy as runPending } from "../../engine/run-study.ts";
import { systemClock } from "../../host/clock.ts";
import { markOf, thisProcess } from "../../host/processes.ts";
import type { Ledger } from "../../search/shared/ledger.ts";
import { PointBook } from "../../search/shared/point-book.ts";
import { RunSource } from "../../search/shared/run-source.ts";
import { SharedJournal } from "../../search/shared/shared-journal.ts";
import { settingOf } from "../launch-folder.ts";
import { openExecutor, ownSinks, type RunOptions, type StudyResult } from "../launch-study.ts";
import { openModels, type PreparedStudy } from "../prepare-study.ts";
import { StoppingExecutor } from "../stopping-executor.ts";
import { earlyStopping, endingRule } from "./early-stopping.ts";
import { SearchKeeper } from "./keep-search.ts";
import { type OpenedSearch, openSearch } from "./open-search.ts";
import { searchRules } from "./search-rules.ts";

export interface WorkOptions extends RunOptions {
  /** This worker takes at most so many runs. */
  most?: number;
}

/** Takes and does runs of a search until nothing is left, beside as many other workers as there are. */
export async function workOnSearch(
  prepared: PreparedStudy,
  { ledger, described, total, notes }: OpenedSearch,
  options: WorkOptions = {},
): Promise<StudyResult> {
  const { study, studyDir, program, redactor } = prepared;
  const { costUsd, totalCostUsd, ...limits } = study.limits;
  // A search goes on where it stopped, with however many workers: its launches share one budget.
  const most = Math.min(costUsd ?? Number.POSITIVE_INFINITY, totalCostUsd ?? Number.POSITIVE_INFINITY);
  const limitUsd = most === Number.POSITIVE_INFINITY ? undefined : most;
  const kill = options.kill ?? new AbortController();
  const given = options.sinks ?? [];
  const sinks = [...given, ...ownSinks(prepared, given)];
  const rules = searchRules(prepared, ledger);
  const journalPath = `${studyDir}/${STUDY_FILES.journal}`;
  const runsOf = (params: Params) => rules().runsOf(params);
  const stopping = earlyStopping(prepared, runsOf);
  const book = new PointBook(journalPath, { runsOf, pointIn: (params) => rules().pointIn(params) });
  /** By all workers together, in this launch and before. */
  const spentUsd = () => book.costUsd + lateCostUsd(studyDir);
  /** Called in reverse order, however the work ends. */
  const ends: (() => void | Promise<void>)[] = [() => ledger.close()];
  try {
    ledger.exclusively(() => {
      // The first worker of a launch does failed runs again; those that join it only take what is open.
      if (options.rerun !== "none" && ledger.others().length === 0) ledger.handOutAgain();
      ledger.join();
    });
    const source = new RunSource({
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
      ...(stopping?.field && { field: stopping.field }),
      isEnough: (known) => rules().isEnough(known),
      ...(limitUsd !== undefined && {
        isSpent: () =>
          spentUsd() >= limitUsd
            ? `the study has cost ${usdText(spentUsd())} of ${usdText(limitUsd)}`
            : undefined,
      }),
      version: () => rules().version,
    });
    ledger.exclusively(() => source.lookAgain());
    const finished = book.ended.ok;
    const bookedUsd = book.costUsd;
    const costBeforeUsd = spentUsd();
    const journal = new SharedJournal(journalPath, ledger, { redactor, isEnding: () => kill.signal.aborted });
    ends.push(() => journal.close());
    ends.push(() => sinks.forEach((sink) => void sink.close?.()));
    const models = await openModels(prepared, {
      limits: limitUsd === undefined ? limits : { ...limits, totalCostUsd: limitUsd },
      beforeUsd: costBeforeUsd,
    });
    ends.push(() => models.close());
    const look = () => {
      ledger.exclusively(() => source.lookAgain());
      models.noteOthers(book.costUsd - bookedUsd - journal.costUsd);
    };
    const keeper = await SearchKeeper.start({
      studyDir,
      ledger,
      book,
      look,
      total: () => rules().total,
      redactor,
    });
    ends.push(() => keeper.close());
    const setting = { ...settingOf(prepared, described), spentUsd: costBeforeUsd };
    if (limitUsd !== undefined) setting.limits = { ...setting.limits, costUsd: limitUsd };
    setting.env = { ...setting.env, ASSAY_RUNNER: markOf(thisProcess()) };
    const plain = await openExecutor(prepared, setting);
    const executor = stopping?.judge
      ? new StoppingExecutor(
          plain,
          endingRule({ studyDir, ledger, book, search: study.search!, judge: stopping.judge }),
        )
      : plain;
    ends.push(() => executor.close());
    const tell = (text: string) => sinks.forEach((sink) => void sink.handle({ kind: "notice", text }));
    const summary = await runPending({
      pending: handedOut(source, waitingTeller({ ledger, name: titleOf(studyDir), tell })),
      total,
      finished,
      studyDir,
      program,
      executor,
      journal,
      clock: systemClock,
      sinks,
      // What may be spent is for the source to say, which knows what the other workers have spent.
      limits,
      failFast: options.failFast ?? false,
      costBeforeUsd,
      stop: options.stop ?? new AbortController().signal,
      kill,
      control: keeper,
    });
    look();
    summary.costUsd = spentUsd();
    // Points that were cut short, or never proposed, are no work that waits.
    if (source.ending && ledger.countClaims() === 0) summary.left = 0;
    return { summary, studyDir, notes, ...(source.ending && { ending: source.ending }) };
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

function* handedOut(source: RunSource, onWait: () => void): Generator<Pending | Held | "later"> {
  for (;;) {
    const next = source.next();
    if (next === undefined) return;
    if (next === "later") onWait();
    yield next;
  }
}

/** Says, once each, what a worker without a run waits for where nobody would guess it. */
function waitingTeller({
  ledger,
  name,
  tell,
}: {
  ledger: Ledger;
  name: string;
  tell(text: string): void;
}): () => void {
  let told = "";
  return () => {
    const text = ledger.state === "paused" ? `paused: \`assay resume ${name}\` resumes it` : farText(ledger);
    if (text !== undefined && text !== told) tell(text);
    told = text ?? "";
  };
}

function farText(ledger: Ledger): string | undefined {
  const far = ledger.others().find(({ host, claims }) => claims > 0 && host !== thisProcess().host);
  return (
    far &&
    `waiting for process ${far.pid} on ${far.host}, which has taken ${far.claims} of the runs; after a minute without a word from it they are taken over`
  );
}

/** Opens a search and works on it, both in one; other workers may join. */
export async function runSearch(prepared: PreparedStudy, options: RunOptions): Promise<StudyResult> {
  if (prepared.isMeant) {
    throw new UserError("--only can't choose among runs that a search has not proposed yet", {
      remedy: "Put the condition into the search: where.",
    });
  }
  if (options.rerun !== undefined && options.rerun !== "failed") {
    throw new UserError("a search repeats only failed runs", {
      remedy: "`assay confirm STUDY` measures the best points again; --fresh starts over.",
    });
  }
  const opened = await openSearch(prepared, { fresh: options.fresh ?? false, resume: true });
  return workOnSearch(prepared, opened, options);
}
