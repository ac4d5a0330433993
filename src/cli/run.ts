import { relative } from "node:path";
import { collect } from "../api/collect-study.ts";
import { loadStudy } from "../api/load-study.ts";
import { prepareStudy } from "../api/prepare-study.ts";
import { reportStudy } from "../api/report-study.ts";
import { type RunOptions, runPrepared, type StudyResult } from "../api/run-study.ts";
import { overridesFrom, requireFile, type SelectionOptions } from "./overrides.ts";
import { Progress } from "./progress.ts";
import { printSummary } from "./run-summary.ts";

export interface RunCommandOptions extends SelectionOptions {
  jobs?: number;
  dryRun?: boolean;
  fresh?: boolean;
  resume?: boolean;
  rerun: string;
  failFast?: boolean;
  maxCost?: number;
  executor?: string;
  report: boolean;
  quiet?: boolean;
  verbose: number;
  json?: boolean;
}

/** Above this many runs a report is made only when asked for. */
const MOST_REPORTED = 20_000;

export async function run(file: string | undefined, options: RunCommandOptions): Promise<void> {
  if (options.dryRun) {
    const { plan } = await import("./plan.ts");
    return plan(file, { ...options, runs: true, limit: 50 });
  }
  const overrides = overridesFrom(options);
  if (options.jobs !== undefined) overrides.jobs = options.jobs;
  if (options.executor !== undefined) overrides.executor = options.executor;
  if (options.maxCost !== undefined) overrides.costUsd = options.maxCost;
  const prepared = await prepareStudy(loadStudy(requireFile(file), overrides));
  const verbosity = options.quiet ? -1 : options.verbose;
  const interrupts = listenForInterrupts();
  const runOptions: RunOptions = {
    rerun: options.rerun,
    fresh: options.fresh ?? false,
    failFast: options.failFast ?? false,
    sinks: [new Progress({ stream: process.stderr, verbosity, hide: prepared.redactor.text })],
    stop: interrupts.stop.signal,
    kill: interrupts.kill,
  };
  let result: StudyResult;
  try {
    result = await runPrepared(prepared, runOptions);
  } finally {
    interrupts.release();
  }
  const { summary, studyDir, notes } = result;
  const report = options.report && summary.total <= MOST_REPORTED ? await writeReport(studyDir) : undefined;
  if (options.json) {
    console.log(
      JSON.stringify({
        studyDir: relative(process.cwd(), studyDir) || ".",
        ...summary,
        notes,
        report: report ?? null,
      }),
    );
  } else printSummary(result, prepared.study, { report, isQuiet: options.quiet ?? false });
  if (summary.stopped === "interrupted") process.exitCode = 130;
  else if (summary.failed > 0 || summary.stopped !== undefined) process.exitCode = 1;
}

async function writeReport(studyDir: string): Promise<string> {
  await collect(studyDir);
  return relative(process.cwd(), reportStudy(studyDir)[0]!);
}

/** First Ctrl-C: launch nothing more. Second: end what runs. Third: leave at once. */
function listenForInterrupts() {
  const stop = new AbortController();
  const kill = new AbortController();
  const onSignal = (signal: NodeJS.Signals) => {
    if (kill.signal.aborted) process.exit(130);
    if (stop.signal.aborted || signal === "SIGTERM") {
      stop.abort();
      kill.abort();
      process.stderr.write("\nending what runs\n");
    } else {
      stop.abort();
      process.stderr.write("\nletting what runs finish; Ctrl-C again ends it now\n");
    }
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, onSignal);
  const release = () => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, onSignal);
  };
  return { stop, kill, release };
}
