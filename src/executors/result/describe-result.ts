import type { ResultFacts } from "../../core/executor.ts";
import type { ColumnSummary, ResultFile } from "../../core/result-file.ts";
import type { Attempt, Run } from "../../core/run.ts";
import type { Calls } from "../../core/study.ts";
import { tInterval } from "../../stats/intervals/t-intervals.ts";
import { moments } from "../../stats/summaries/moments.ts";
import { findOutliers, quantileOfSorted } from "../../stats/summaries/quantiles.ts";

/** A file that is read as a whole stays of a size that can be. */
const MOST_ITERATIONS = 100_000;

interface Parts {
  run: Run;
  attempt: Attempt;
  facts: ResultFacts;
  iterations: Calls;
}

export function describeResult({ run, attempt, facts, iterations }: Parts): ResultFile {
  const { outcome, startedAtMs, wallMs, files = [] } = attempt;
  const seconds = (attempt.iterations?.durationMs ?? []).map((ms) => ms / 1000);
  const { waitingShare, cpuMs, metrics = {} } = attempt.iterations ?? {};
  const columns = Object.entries({ ...(cpuMs && { cpu_ms: cpuMs }), ...metrics });
  const ofRun = Object.entries({
    ...attempt.iterations?.ofRun,
    ...(waitingShare !== undefined && seconds.length > 1 && { waiting_share: waitingShare }),
  });
  const { vcs } = facts;
  return {
    format: "assay-result/1",
    name: facts.name,
    run_id: run.id,
    target: facts.target,
    parameters: run.params,
    variant: run.variant,
    seed: run.seed,
    task: run.task,
    repeat: run.repeat,
    iterations: {
      warmup: iterations.warmup,
      // Where time or precision ended them, there were as many as there are.
      measured: iterations.timeMs === undefined ? iterations.measured : seconds.length,
      ...(attempt.iterations?.batch !== undefined && { batch: attempt.iterations.batch }),
    },
    tags: facts.tags,
    notes: facts.notes,
    status: outcome.status,
    reason: outcome.reason ?? null,
    failed_iteration: attempt.iterations?.failure ?? null,
    warnings: attempt.warnings ?? [],
    started_at: new Date(startedAtMs).toISOString(),
    ended_at: new Date(startedAtMs + wallMs).toISOString(),
    wall_s: wallMs / 1000,
    metrics: Object.fromEntries([
      ["duration_s", summariseColumn(seconds)],
      ...columns.map(([name, column]) => [name, summariseColumn(column)]),
      ...ofRun.map(([name, value]) => [name, summariseColumn([value])]),
    ]),
    iteration_metrics: seconds.slice(0, MOST_ITERATIONS).map((duration_s, index) => ({
      index,
      duration_s,
      metrics: Object.fromEntries(columns.map(([name, column]) => [name, column[index] ?? null])),
    })),
    iterations_left_out: Math.max(0, seconds.length - MOST_ITERATIONS),
    timing_overhead_ns: attempt.iterations?.overheadNs ?? null,
    environment: { ...facts.environment, ...attempt.environment },
    vcs: vcs && {
      commit: vcs.commit,
      committed_at: vcs.committedAt,
      branch: vcs.branch,
      dirty: vcs.dirty,
      diff_hash: vcs.diffHash,
    },
    program: facts.program,
    spec: facts.spec,
    packages: facts.packages,
    artifacts: files.map((path) => ({
      name: path.split("/").at(-1)!,
      type: typeOf(path),
      path: `out/${path}`,
    })),
  };
}

const TYPES: [RegExp, string][] = [
  [/resources.*\.jsonl$/, "resource-samples"],
  [/\.(cpuprofile|pstats)$/, "cpu-profile"],
  [/(cpu-profile|cprofile).*\.top\.json$/, "top-functions"],
  [/tracemalloc\.top\.json$/, "top-allocations"],
  [/\.(db|sqlite3?)$/, "database"],
];

function typeOf(path: string): string {
  return TYPES.find(([pattern]) => pattern.test(path))?.[1] ?? /\.(\w+)$/.exec(path)?.[1] ?? "file";
}

/** Null where no value is known. */
export function summariseColumn(column: readonly (number | null)[]): ColumnSummary | null {
  const known = column.filter((value) => value !== null);
  if (known.length === 0) return null;
  const sorted = Float64Array.from(known).sort();
  const { mean, variance } = moments(known);
  const interval = tInterval(known);
  return {
    n: known.length,
    mean,
    p05: quantileOfSorted(sorted, 0.05),
    p25: quantileOfSorted(sorted, 0.25),
    p50: quantileOfSorted(sorted, 0.5),
    p95: quantileOfSorted(sorted, 0.95),
    p99: quantileOfSorted(sorted, 0.99),
    sd: known.length < 2 ? null : Math.sqrt(variance),
    min: sorted[0]!,
    max: sorted.at(-1)!,
    low: interval.known ? interval.low : null,
    high: interval.known ? interval.high : null,
    outliers: known.length < 5 ? null : findOutliers(known).length,
  };
}
