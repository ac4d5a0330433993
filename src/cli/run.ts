import { relative } from "node:path";
import { runPrepared } from "../api/run-study.ts";
import { UserError } from "../core/errors.ts";
import type { TrafficOptions } from "../core/executor.ts";
import { KEPT_FROM_RUNS } from "../core/study-folder.ts";
import type { RunOptions, StudyResult } from "../launch/launch-study.ts";
import { type LoadedStudy, loadStudies, type Overrides } from "../launch/load-study.ts";
import { type PreparedStudy, prepareSeveral, prepareStudy } from "../launch/prepare-study.ts";
import { listenForInterrupts } from "./interrupts.ts";
import { overridesFrom, requireFile, type SelectionOptions } from "./overrides.ts";
import { Progress, tellParent } from "./progress.ts";
import type { MetricsAddress } from "./read-option.ts";
import type { Told } from "./run-findings.ts";
import { printSummary } from "./run-summary.ts";
import { raiseExitCode, seriesSummary } from "./several-studies.ts";
import { printWarnings } from "./terminal.ts";

export interface RunCommandOptions extends SelectionOptions {
  jobs?: number;
  metrics?: MetricsAddress;
  dryRun?: boolean;
  fresh?: boolean;
  resume?: boolean;
  rerun?: string;
  rollout?: string;
  failFast?: boolean;
  /** Scores what is there, and generates nothing. */
  scoring?: RunOptions["scoring"];
  maxCost?: number;
  until?: Overrides["until"];
  replayDecisions?: boolean;
  maxTime?: number;
  executor?: string;
  queue?: string;
  ui?: boolean;
  detach?: boolean;
  report: boolean;
  record?: boolean;
  replay?: string;
  scripted?: string[];
  fault?: string;
  trace: boolean;
  quiet?: boolean;
  verbose: number;
  json?: boolean;
}

/** Above this many runs a report is made only when asked for. */
const MOST_REPORTED = 20_000;
/** Runs that took this long each on average hide what their page takes, a twentieth of it. */
const SLOW_RUN_MS = 1;

export async function run(file: string | undefined, options: RunCommandOptions): Promise<void> {
  if (options.dryRun) {
    const { plan } = await import("./plan.ts");
    return plan(file, { ...options, runs: true, limit: 50 });
  }
  if (options.detach) return (await import("./detach.ts")).detach(requireFile(file), options);
  // It may hold a password: from here on no command line, lock or study file has it.
  if (options.queue !== undefined) (await import("../fleet/address.ts")).hideAddress(options.queue);
  const { seeds } = options;
  if (typeof seeds === "number" && seeds > 1 && !options.quiet && !options.json)
    process.stderr.write(`seeds 1 to ${seeds} (for seed ${seeds} alone: --seeds ${seeds}..${seeds})\n`);
  const overrides = overridesFrom(options);
  if (options.jobs !== undefined) overrides.jobs = options.jobs;
  if (options.executor !== undefined) overrides.executor = options.executor;
  else if (options.queue !== undefined) overrides.executor = "queue";
  if (options.maxCost !== undefined) overrides.costUsd = options.maxCost;
  if (options.until) overrides.until = options.until;
  if (options.maxTime !== undefined) overrides.wallMs = options.maxTime;
  if (!options.trace) overrides.trace = false;
  const traffic = await trafficOf(options);
  if (traffic) overrides.traffic = traffic;
  overrides.launch = {
    isFresh: options.fresh,
    isRerun: options.rerun !== undefined,
    stamp: options.rollout,
  };
  const loaded = loadStudies(requireFile(file), overrides);
  if (options.replayDecisions) {
    const { replayDecisions } = await import("./replay-decisions.ts");
    for (const one of loaded) replayDecisions((await prepareStudy(one)).studyDir, options);
    return;
  }
  if (loaded.length === 1) await runOne(await prepareStudy(loaded[0]!), options);
  else await runSeveral(loaded, options);
}

async function trafficOf({
  record,
  replay,
  scripted,
  fault,
  outRoot,
}: RunCommandOptions): Promise<TrafficOptions | undefined> {
  if (fault !== undefined) (await import("../gateway/faults.ts")).readFault(fault);
  const own = {
    ...(record && { record }),
    ...(scripted !== undefined && { scripted }),
    ...(fault !== undefined && { fault }),
  };
  const others = Object.keys(own).map((name) => `--${name}`);
  if (replay === undefined) return others.length === 0 ? undefined : own;
  if (others.length > 0)
    throw new UserError(`${others[0]} and --replay`, { expected: "one of them", got: "both" });
  const { findStudy } = await import("../archive/read-records.ts");
  const { checkCassettes } = await import("../gateway/find-cassette.ts");
  const studyDir = findStudy(replay, outRoot);
  checkCassettes(studyDir);
  return { replay: studyDir };
}

/** One study after the other. Mistakes are reported first; the other studies run anyway. */
async function runSeveral(loaded: readonly LoadedStudy[], options: RunCommandOptions): Promise<void> {
  const { ready, mistakes } = await prepareSeveral(loaded);
  for (const { name, error } of mistakes) process.stderr.write(`assay: ${name}: ${error.message}\n`);
  for (const prepared of ready) {
    if ((await runOne(prepared, options)) === "interrupted") break;
  }
  if (!options.json) console.log(`\n${seriesSummary(ready, mistakes.length)}`);
  if (mistakes.length > 0) raiseExitCode(mistakes[0]!.error.exitCode);
}

/** Looks at the study, and writes its page where one is wanted. */
async function tell(studyDir: string, hasReport: boolean): Promise<Told> {
  if (hasReport) {
    const { files, own, view } = await (await import("../read/write-report.ts")).writeReport(studyDir);
    const [page, ...others] = [files[0]!, ...own].map((path) => relative(process.cwd(), path));
    return { view, report: page!, others };
  }
  const view = await (await import("../read/kept-view.ts")).keptView(studyDir);
  const { ok, stopped, failed, cancelled } = view.counts;
  if (view.answer !== null)
    (await import("../read/past.ts")).noteLook(studyDir, ok + stopped + failed + cancelled);
  return { view };
}

/** What the study says and the page that says it, where anybody is to see it; and whether the metric that it names is there. */
async function look(
  { summary, studyDir }: StudyResult,
  { study }: PreparedStudy,
  { report, quiet, json }: RunCommandOptions,
): Promise<{ told?: Told; problem?: string | undefined }> {
  if (summary.total > MOST_REPORTED) return {};
  return {
    ...((report || json || !quiet) && { told: await tell(studyDir, report) }),
    ...(study.analysis.metric !== undefined &&
      !study.search && { problem: (await import("./run-findings.ts")).unmetMetric(studyDir, study) }),
  };
}

/** Gives why it stopped before its last run, if it did. What `earlier` did counts as done by this command. */
export async function runOne(
  prepared: PreparedStudy,
  options: RunCommandOptions,
  { next, earlier }: { next?: string; earlier?: StudyResult["summary"] } = {},
): Promise<StudyResult["summary"]["stopped"]> {
  if (!options.quiet && !options.json) printWarnings(prepared.study);
  const verbosity = options.quiet ? -1 : options.verbose;
  // It follows the folder as any other reader does; only a study that is being made has none yet.
  const server = options.ui ? await (await import("./ui.ts")).startUi(prepared.studyDir) : undefined;
  const metrics =
    options.metrics &&
    (await (await import("./metrics.ts")).startMetrics(prepared.study.name, options.metrics));
  const interrupts = listenForInterrupts();
  const runOptions: RunOptions = {
    ...(options.rerun !== undefined && { rerun: options.rerun }),
    fresh: options.fresh ?? false,
    failFast: options.failFast ?? false,
    ...(options.scoring && { scoring: options.scoring }),
    sinks: [
      new Progress({
        stream: process.stderr,
        verbosity,
        hide: prepared.redactor.text,
        doneNow: earlier?.ok ?? 0,
      }),
      ...tellParent(),
      ...(metrics ? [metrics.sink] : []),
    ],
    stop: interrupts.stop.signal,
    kill: interrupts.kill,
  };
  let result: StudyResult;
  try {
    result = await runPrepared(prepared, runOptions);
    if (earlier) result = { ...result, summary: joined(earlier, result.summary) };
  } catch (error) {
    await server?.close();
    throw error;
  } finally {
    interrupts.release();
    metrics?.close();
  }
  const { summary, studyDir, notes, ending, decision } = result;
  const { told, problem } = await look(result, prepared, options);
  if (!told && summary.total >= KEPT_FROM_RUNS && summary.wallMs > SLOW_RUN_MS * summary.total)
    await (await import("../read/kept-view.ts")).prepareView(studyDir, summary.total);
  if (options.json) {
    console.log(
      JSON.stringify({
        studyDir: relative(process.cwd(), studyDir) || ".",
        ...summary,
        notes,
        ...(ending && { ending: ending.why }),
        ...(decision && { decision }),
        ...(problem !== undefined && { problem }),
        answer: told?.view.answer?.sentence ?? null,
        report: told?.report ?? null,
      }),
    );
  } else {
    printSummary(result, prepared.study);
    if (told && !options.quiet)
      await (await import("./run-findings.ts")).printFindings(result, prepared.study, { told, next });
  }
  if (problem !== undefined) {
    process.stderr.write(`assay: ${problem}\n`);
    raiseExitCode(1);
  }
  if (summary.stopped === "interrupted") raiseExitCode(interrupts.exitCode);
  else if (summary.failed + summary.cancelled > 0 || summary.stopped !== undefined || ending?.isDefeat)
    raiseExitCode(1);
  if (server) await (await import("./ui.ts")).endUi(server, summary);
  return summary.stopped;
}

function joined(earlier: StudyResult["summary"], later: StudyResult["summary"]): StudyResult["summary"] {
  return {
    ...later,
    ok: earlier.ok + later.ok,
    skipped: later.skipped - earlier.ok,
    wallMs: earlier.wallMs + later.wallMs,
  };
}
