import { UserError } from "../../core/errors.ts";
import { numberText, percentText, plural, rounded } from "../../core/number-text.ts";
import type { Arm } from "../../design/arm-set.ts";
import { adjustedDifference, differences, known, type Side } from "../../stats/index.ts";
import type { Measured } from "./measure-difference.ts";
import { unitsOf } from "./pair-up.ts";
import { clusterCount, labelText, type Samples } from "./samples.ts";

/** What was known of each unit before it was run: a task's difficulty so far, or the baseline's score on it. */
export interface Covariate {
  name: string;
  values: ReadonlyMap<string, number> | "baseline";
}

export interface Adjusted {
  /** null where pairs are all that the covariate is known for, so that it can't change anything. */
  measured: Measured | null;
  /** Of the difference. */
  error: number | null;
  /** The share of the variance that the covariate took away. */
  saved: number;
  why: string;
}

interface Question {
  noun: string;
  baseline: Arm;
  alpha: number;
  side: Side;
}

/** The difference with what the covariate explains taken out. */
export function adjustFor({ name, values }: Covariate, samples: Samples, question: Question): Adjusted {
  const { noun, alpha, side } = question;
  const { isPaired, candidate, baseline, labels } = samples;
  if (isPaired && clusterCount(samples) < candidate.length)
    throw refusal(name, "pairs that are independent", "several pairs of one unit");
  if (values === "baseline" && !isPaired) throw refusal(name, "arms that share units", "independent groups");
  const of = values === "baseline" ? scoresOf(question.baseline) : values;
  const at = (units: Samples["labels"]["baseline"]) => lookUp(of, units.map(labelText), { name, noun });
  const reference = [...of.values()];
  if (isPaired && reference.length === candidate.length)
    return {
      ...{ measured: null, error: null, saved: 0 },
      why: `${name} saves nothing: both arms ran all ${plural(reference.length, noun)} that it is known for, and pairing has taken out the rest`,
    };
  const found = isPaired
    ? adjustedDifference(
        { values: differences(candidate, baseline), covariate: at(labels.baseline) },
        undefined,
        { level: 1 - alpha, side, reference },
      )
    : adjustedDifference(
        { values: candidate, covariate: at(labels.candidate) },
        { values: baseline, covariate: at(labels.baseline) },
        { level: 1 - alpha, side, reference },
      );
  if (!found.known)
    return { measured: { interval: found, test: found, check: null }, error: null, saved: 0, why: found.why };
  const { estimate, error, df, p, saved } = found;
  const method = `${found.method} for ${name}`;
  const test = known({ statistic: estimate / error, df, p, side, method, cautions: [] });
  return {
    ...{ measured: { interval: { ...found, method }, test, check: null }, error, saved },
    why: `${name} was known of ${plural(reference.length, noun)} before the run; ${savedWords(saved, noun)}`,
  };
}

function savedWords(saved: number, noun: string): string {
  if (saved <= 0) return "it explains nothing here, and only costs";
  const times = numberText(rounded(1 / (1 - saved), 2));
  return `it took away ${percentText(rounded(saved, 2))} of the variance, as ${times} times the ${noun}s would`;
}

/** The baseline's mean on each unit, those that the candidate lacks too. */
function scoresOf(arm: Arm): Map<string, number> {
  const scores = new Map<string, number>();
  for (const [key, { values }] of unitsOf(arm) ?? [])
    if (values.length > 0) scores.set(key, values.reduce((sum, value) => sum + value, 0) / values.length);
  return scores;
}

function lookUp(
  values: ReadonlyMap<string, number>,
  units: readonly string[],
  { name, noun }: { name: string; noun: string },
): number[] {
  const without = units.filter((unit) => !values.has(unit));
  if (without.length > 0)
    throw new UserError(`--covariate ${name}`, {
      expected: `a number for every ${noun}`,
      got: `none for ${without.length} of ${units.length}: ${without.slice(0, 3).join(", ")}`,
      remedy: `Complete it, or choose the others with --where.`,
    });
  return units.map((unit) => values.get(unit)!);
}

function refusal(name: string, expected: string, got: string): UserError {
  return new UserError(`--covariate ${name}`, { expected, got, remedy: "Leave --covariate out." });
}
