import type { Executor, Job, Setting } from "../core/executor.ts";
import { addUsd } from "../core/number-text.ts";
import { type Attempt, failed, OK, type Outcome, type RunRecord, type ScoreNote } from "../core/run.ts";
import type { CommandRef, FileRef, JudgeRef, ScorerRef } from "../core/study.ts";
import { noteAttempt, WrappedExecutor } from "../executors/wrapped-executor.ts";
import { ProgramScorer } from "./program-scorer.ts";
import { type Scorer, staleScorers } from "./scorer.ts";

interface Scoring {
  scorers: readonly ScorerRef[];
  versions: Record<string, string>;
  /** Outputs that are there get no score from before, whatever state the scorers had. */
  isScoredAgain: boolean;
}

/**
 * Scores what runs left, once they have ended well, and outputs that are there already without a run. A scorer that fails
 * on one of them makes that run one without a result, by the grader's fault; its output stays, to be scored again.
 */
export class ScoringExecutor extends WrappedExecutor {
  readonly #scorers: readonly Scorer[];
  readonly #studyDir: string;
  #jobs: number;
  readonly #isScoredAgain: boolean;
  #scoring = 0;

  private constructor(
    inner: Executor,
    scorers: readonly Scorer[],
    { studyDir, jobs, isScoredAgain }: Pick<Setting, "studyDir" | "jobs"> & Pick<Scoring, "isScoredAgain">,
  ) {
    super(inner);
    this.#isScoredAgain = isScoredAgain;
    this.#scorers = scorers;
    this.#studyDir = studyDir;
    this.#jobs = jobs;
  }

  static async around(
    inner: Executor,
    setting: Setting,
    { scorers, versions, isScoredAgain }: Scoring,
  ): Promise<Executor> {
    if (scorers.length === 0) return inner;
    const made = scorers.map((ref) => createScorer(ref, versions[ref.name]!, setting));
    return new ScoringExecutor(inner, await Promise.all(made), { ...setting, isScoredAgain });
  }

  /** What is being scored leaves its place to the next run. */
  override get capacity(): number {
    return this.inner.capacity + Math.min(this.#scoring, this.#jobs);
  }

  protected override resized(jobs: number): void {
    this.#jobs = jobs;
  }

  async execute(job: Job, signal: AbortSignal): Promise<Attempt> {
    const made = job.generated
      ? withoutScores(job.generated, this.#isScoredAgain ? {} : this.#versions)
      : await this.inner.execute(job, signal);
    if (made.outcome.status !== "ok") return made;
    this.#scoring++;
    try {
      return await this.#score(job, made, signal);
    } finally {
      this.#scoring--;
    }
  }

  override cancel(runId: string, outcome: Outcome): void {
    super.cancel(runId, outcome);
    for (const scorer of this.#scorers) scorer.cancel?.(runId, outcome);
  }

  override async close(): Promise<void> {
    await super.close();
    for (const scorer of this.#scorers) await scorer.close();
  }

  get #versions(): Record<string, string> {
    return Object.fromEntries(this.#scorers.map(({ name, version }) => [name, version]));
  }

  /** One scorer after the other: what they make of an output must not depend on what else runs. */
  async #score({ run }: Job, made: Attempt, signal: AbortSignal): Promise<Attempt> {
    const attempt: Attempt = { ...made, metrics: { ...made.metrics }, scored: { ...made.scored } };
    const problems: string[] = [];
    for (const scorer of this.#scorers) {
      if (attempt.scored![scorer.name]) continue;
      const result = await scorer.score(run, signal);
      if (result.costUsd !== undefined) attempt.costUsd = addUsd(attempt.costUsd ?? 0, result.costUsd);
      if (result.outcome.status === "cancelled" || signal.aborted)
        return { ...attempt, outcome: { ...result.outcome, status: "cancelled" } };
      const problem =
        result.outcome.status === "ok"
          ? addScores(attempt, result, scorer)
          : (result.outcome.reason ?? result.outcome.status);
      if (problem !== undefined) problems.push(saidBy(scorer.name) + problem);
    }
    if (problems.length > 0) attempt.outcome = failed("grader", problems.join("; "));
    noteAttempt(this.#studyDir, run.id, attempt);
    return attempt;
  }
}

function createScorer(ref: ScorerRef, version: string, setting: Setting): Promise<Scorer> | Scorer {
  if (ref.by.kind !== "judge")
    return ProgramScorer.create(ref as ScorerRef & { by: CommandRef | FileRef }, version, setting);
  return import("./judge-scorer.ts").then(
    ({ JudgeScorer }) => new JudgeScorer(ref as ScorerRef & { by: JudgeRef }, version, setting),
  );
}

/** Begins what a scorer says of a run, so that it goes when the score does. */
const saidBy = (scorer: string) => `scorer ${scorer}: `;

/** What a run gave by itself, with the scores that still hold in these versions. What it cost is on an earlier record. */
function withoutScores(record: RunRecord, versions: Record<string, string>): Attempt {
  const { outcome, metrics, labels, warnings, startedAtMs, wallMs, files, scored = {} } = record;
  const stale = new Set(staleScorers(versions, record));
  const isGone = (name: string) => stale.has(name) || !(name in versions);
  const gone = Object.entries(scored).filter(([name]) => isGone(name));
  const without = <T>(values: Record<string, T>, names: (note: ScoreNote) => string[]) => {
    const dropped = new Set(gone.flatMap(([, note]) => names(note)));
    return Object.fromEntries(Object.entries(values).filter(([name]) => !dropped.has(name)));
  };
  const attempt: Attempt = {
    outcome: { ...OK, ...(outcome.exitCode !== undefined && { exitCode: outcome.exitCode }) },
    metrics: without(metrics, (note) => note.metrics),
    startedAtMs,
    wallMs,
    scored: Object.fromEntries(Object.entries(scored).filter(([name]) => !isGone(name))),
  };
  const kept = without(labels ?? {}, (note) => note.labels ?? []);
  if (Object.keys(kept).length > 0) attempt.labels = kept;
  const said = (warnings ?? []).filter((text) => !gone.some(([name]) => text.startsWith(saidBy(name))));
  if (said.length > 0) attempt.warnings = said;
  if (files) attempt.files = files;
  return attempt;
}

/** Adds what a scorer gave; says what is wrong where a name is taken already. */
function addScores(attempt: Attempt, result: Attempt, { name, prefix, version }: Scorer): string | undefined {
  // What scoring costs is part of what the run cost.
  const given = Object.entries(result.metrics).filter(([metric]) => prefix !== "" || metric !== "cost_usd");
  const metrics = given.map(([metric, value]) => [prefix + metric, value] as const);
  const labels = Object.entries(result.labels ?? {}).map(([label, text]) => [prefix + label, text] as const);
  const taken = [
    ...metrics.filter(([metric]) => metric in attempt.metrics),
    ...labels.filter(([label]) => label in (attempt.labels ?? {})),
  ];
  if (taken.length > 0)
    return `it gives "${taken[0]![0]}", which the run has already: name: puts a name in front of a scorer's metrics`;
  if (metrics.length === 0) return "it gave no metric";
  Object.assign(attempt.metrics, Object.fromEntries(metrics));
  if (labels.length > 0) attempt.labels = { ...attempt.labels, ...Object.fromEntries(labels) };
  if (result.warnings)
    attempt.warnings = [...(attempt.warnings ?? []), ...result.warnings.map((text) => saidBy(name) + text)];
  attempt.scored![name] = {
    version,
    metrics: metrics.map(([metric]) => metric),
    ...(labels.length > 0 && { labels: labels.map(([label]) => label) }),
  };
  return undefined;
}
