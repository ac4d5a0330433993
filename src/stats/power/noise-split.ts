import { known, type Result, unknownBecause } from "../result.ts";
import { type Moments, moments } from "../summaries/moments.ts";

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
