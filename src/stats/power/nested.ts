import { normalQuantile } from "../distributions/normal.ts";
import { requireCount } from "../options.ts";
import { known, type Result, unknownBecause, type Value } from "../result.ts";
import type { Sample } from "../sample.ts";
import { type Moments, moments } from "../summaries/moments.ts";
import { groupsProblem } from "../tests/p-value.ts";
import { type Design, minimumDetectableEffect, type SampleSize, sampleSize } from "./t-test-power.ts";

export interface VarianceComponents {
  /** The standard deviation of the tasks' true means; 0 where the data show none beyond the noise. */
  betweenSd: number;
  /** The standard deviation of a rollout within its task. */
  withinSd: number;
  /** The share of the variance that lies between tasks. */
  intraclass: number;
}

/**
 * How much of the variance of scores lies between tasks and how much between rollouts of one task: by the method
 * of moments from a one-way analysis, unequal numbers of rollouts allowed.
 * Source: S. R. Searle, G. Casella, C. E. McCulloch, Variance Components (1992), 3.6.
 */
export function varianceComponents(tasks: readonly Sample[]): Result<VarianceComponents> {
  const problem = groupsProblem(tasks, 2);
  if (problem) return unknownBecause(problem);
  const parts = tasks.map(moments);
  const n = parts.reduce((total, part) => total + part.n, 0);
  const grand = parts.reduce((total, part) => total + part.n * part.mean, 0) / n;
  const groups = parts.length;
  const within = parts.reduce((total, part) => total + (part.n - 1) * part.variance, 0) / (n - groups);
  const between = parts.reduce((total, part) => total + part.n * (part.mean - grand) ** 2, 0) / (groups - 1);
  const size = (n - parts.reduce((total, part) => total + part.n ** 2, 0) / n) / (groups - 1);
  const variance = Math.max(0, (between - within) / size);
  if (variance + within === 0) return unknownBecause("all values are equal");
  return known({
    betweenSd: Math.sqrt(variance),
    withinSd: Math.sqrt(within),
    intraclass: variance / (variance + within),
  });
}

export interface PairedVarianceComponents {
  /** ω: the standard deviation over tasks of the true difference of the arms. */
  betweenSd: number;
  withinSd: readonly [number, number];
}

/**
 * What a pilot of two arms on the same tasks says for planning: ω and the two σ that tasksForEffect asks for. The
 * noise of the rollouts is taken out of the variance of the tasks' measured differences.
 * Source: E. Miller, "Adding error bars to evals" (2024), arXiv:2411.00640, by the method of moments.
 */
export function pairedVarianceComponents(
  first: readonly Sample[],
  second: readonly Sample[],
): Result<PairedVarianceComponents> {
  // A task that was run once says nothing of the noise within, and all that it can of the difference.
  const problem = groupsProblem(first, 1) ?? groupsProblem(second, 1);
  if (problem) return unknownBecause(problem);
  if ([first, second].some((tasks) => tasks.every((values) => values.length < 2)))
    return unknownBecause("in one of the arms each task was run once");
  if (first.length !== second.length)
    return unknownBecause(`one arm has ${first.length} tasks and the other ${second.length}`);
  const arms = [first.map(moments), second.map(moments)] as const;
  const within = arms.map((tasks) => {
    const df = tasks.reduce((total, task) => total + task.n - 1, 0);
    return tasks.reduce((total, task) => total + (task.n - 1) * task.variance, 0) / df;
  }) as [number, number];
  const noise = arms[0].map((task, i) => within[0] / task.n + within[1] / arms[1][i]!.n);
  const measured = moments(arms[0].map((task, i) => task.mean - arms[1][i]!.mean)).variance;
  const between = measured - noise.reduce((total, x) => total + x, 0) / noise.length;
  return known({
    betweenSd: Math.sqrt(Math.max(0, between)),
    withinSd: [Math.sqrt(within[0]), Math.sqrt(within[1])],
  });
}

/** Standard errors of a mean over tasks, or of a difference of two. */
export interface NoiseErrors {
  /** Other tasks would have been drawn. */
  data: number;
  /** The same tasks would have been answered otherwise. */
  prediction: number;
  both: number;
}

/** Where the noise of a mean over tasks comes from. */
export interface NoiseSplit {
  tasks: number;
  /** Of the tasks' true means, or differences; without bias, so it may fall below 0 where there is hardly any. */
  dataVariance: number;
  /** Of one sample of a task; of a difference, of one sample in each arm. */
  predictionVariance: number;
  /** With the tasks and samples at hand. */
  errors: NoiseErrors;
}

/**
 * Splits the noise of a mean over tasks into that of the tasks and that of the samples of each; of the difference of
 * two arms on the same tasks where there is a second one. A task is given by its number of samples, their mean and
 * their variance. The variance over tasks has n − 1 below the line, and what the samples add to it is taken out.
 * Source: S. Wang, "Measuring all the noises of LLM evals" (2025), arXiv:2512.21326, which has n below the line.
 */
export function noiseSplit(first: readonly Moments[], second?: readonly Moments[]): Result<NoiseSplit> {
  const n = first.length;
  if (n < 2)
    return unknownBecause(`there ${n === 1 ? "is 1 task" : "are no tasks"} and this needs at least 2`);
  if (second && second.length !== n)
    return unknownBecause(`one arm has ${n} tasks and the other ${second.length}`);
  const arms = second ? [first, second] : [first];
  const parts = arms.map(predictionOf);
  if (parts.some((part) => part === null))
    return unknownBecause("each task was tried once, so what a second sample would change is unknown");
  const total = (of: (part: { variance: number; ofMean: number }) => number) =>
    parts.reduce((sum, part) => sum + of(part!), 0);
  const predictionVariance = total(({ variance }) => variance);
  const noise = total(({ ofMean }) => ofMean);
  const means = first.map(({ mean }, i) => mean - (second ? second[i]!.mean : 0));
  const dataVariance = moments(means).variance - noise;
  return known({
    ...{ tasks: n, dataVariance, predictionVariance },
    errors: errorsOf(Math.max(0, dataVariance) / n, noise / n),
  });
}

/** The same errors with so many tasks, and so many samples of each. */
export function noiseWith({ dataVariance, predictionVariance }: NoiseSplit, tasks: number, samples: number) {
  return errorsOf(Math.max(0, dataVariance) / tasks, predictionVariance / (tasks * samples));
}

/** The mean over tasks of a sample's variance and of a task mean's; a task tried once is taken for a usual one. */
function predictionOf(tasks: readonly Moments[]): { variance: number; ofMean: number } | null {
  const several = tasks.filter(({ n }) => n > 1);
  if (several.length === 0) return null;
  const usual = several.reduce((sum, task) => sum + task.variance, 0) / several.length;
  const varianceOf = (task: Moments) => (task.n > 1 ? task.variance : usual);
  const ofMean = tasks.reduce((sum, task) => sum + varianceOf(task) / task.n, 0) / tasks.length;
  return { variance: usual, ofMean };
}

function errorsOf(data: number, prediction: number): NoiseErrors {
  return { data: Math.sqrt(data), prediction: Math.sqrt(prediction), both: Math.sqrt(data + prediction) };
}

/** The smallest difference of two arms that so many tasks, with these rollouts, find with the power asked for. */
export function effectForTasks(tasks: number, options: TaskOptions): Result<Value> {
  const { power = 0.8, alpha = 0.05, side = "two-sided" } = options;
  return minimumDetectableEffect(tasks, power, {
    design: "paired",
    sd: taskDifferenceSd(options),
    alpha,
    side,
  });
}

export interface TasksForEffect extends SampleSize {
  /** The textbook's (z_α + z_β)² (ω² + σ_A²/K_A + σ_B²/K_B) / δ², which is a little short where tasks are few. */
  normalApproximation: number;
}

export type TaskOptions = Rollouts & { power?: number; alpha?: number; side?: "two-sided" | "one-sided" };

/**
 * How many tasks find a difference of `effect` between two arms that both run every task: rollouts average out
 * the noise within tasks, and only more tasks average out that arms differ from task to task.
 * Source: E. Miller, "Adding error bars to evals" (2024), arXiv:2411.00640, with the paired t test instead of z.
 */
export function tasksForEffect(effect: number, options: TaskOptions): Result<TasksForEffect> {
  const { power = 0.8, alpha = 0.05, side = "two-sided" } = options;
  const sd = taskDifferenceSd(options);
  const size = sampleSize(effect, power, { design: "paired", sd, alpha, side } satisfies Design);
  if (!size.known) return size;
  const z = normalQuantile(power) - normalQuantile(side === "two-sided" ? alpha / 2 : alpha);
  return known({ ...size, normalApproximation: (z * sd) ** 2 / effect ** 2 });
}

/**
 * What a comparison of two arms over tasks is made of: how much the true difference varies between tasks, how much
 * a rollout varies within a task in each arm, and how many rollouts a task each arm gets.
 */
export interface Rollouts {
  /** ω: the standard deviation over tasks of the true difference of the arms. */
  betweenSd: number;
  /** σ: the standard deviation of a rollout about its task's mean, in the first and the second arm. */
  withinSd: readonly [number, number];
  rollouts: readonly [number, number];
}

/** The standard deviation of a task's measured difference: sqrt(ω² + σ_A²/K_A + σ_B²/K_B). E. Miller (2024), 3.3. */
function taskDifferenceSd({ betweenSd, withinSd, rollouts }: Rollouts): number {
  requireCount(rollouts[0], "rollouts of the first arm");
  requireCount(rollouts[1], "rollouts of the second arm");
  return Math.sqrt(betweenSd ** 2 + withinSd[0] ** 2 / rollouts[0] + withinSd[1] ** 2 / rollouts[1]);
}
