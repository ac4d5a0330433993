import type { Comparison } from "../analysis/compare/comparison.ts";
import { UserError } from "../core/errors.ts";
import type { Params } from "../core/params.ts";
import type { StudySummary } from "../core/sink.ts";
import type { Warning } from "../core/warning.ts";
import type { RunOptions } from "../launch/launch-study.ts";
import { shippedSpec } from "../launch/load-study.ts";
import { prepareFile } from "../launch/prepare-study.ts";
import { sims } from "../targets/index.ts";
import type { Candidate, Suite } from "../targets/target-package.ts";
import { compareStudies } from "./compare-studies.ts";
import { runPrepared } from "./run-study.ts";

const QUICK_SEEDS = 8;

export interface Recommendation {
  chosen: Candidate;
  /** What a study sets to have it. */
  params: Params;
  /** In the order of the candidates. */
  means: { name: string; ms: number; n: number }[];
  tied: string[];
  unknown: string[];
  /** Every other arm against the chosen one. */
  comparisons: Comparison[];
  warnings: Warning[];
  studyDir: string;
  summary: StudySummary;
}

export interface RecommendOptions extends RunOptions {
  isQuick?: boolean;
}

/** The suites that `assay recommend` knows. */
export const { suites } = sims;

/** Measures the candidates of a suite on this machine, in turns, and says which one to use. */
export async function recommend(
  { spec, metric, candidates }: Suite,
  { isQuick, ...options }: RecommendOptions = {},
): Promise<Recommendation> {
  const seeds = isQuick ? { seeds: Array.from({ length: QUICK_SEEDS }, (_, i) => i + 1) } : {};
  const prepared = await prepareFile(shippedSpec(spec), { ...seeds, ...options });
  const { studyDir, summary } = await runPrepared(prepared, { ...options, fresh: true });
  const request = { by: ["variant"], metrics: [metric], goal: "minimize" as const };
  const { comparisons: measured } = await compareStudies([studyDir], request);
  const arms = new Map(
    measured.flatMap(({ baseline, candidate }) => [baseline, candidate]).map((arm) => [arm.name, arm]),
  );
  const means = candidates.flatMap(({ name }) => {
    const { mean, units } = arms.get(name) ?? { mean: null, units: [] };
    return mean === null ? [] : [{ name, ms: mean, n: units.length }];
  });
  const fastest = fastestArm(new Map(means.map(({ name, ms }) => [name, ms])));
  if (fastest === undefined || means.length < 2)
    throw new UserError("there is nothing to recommend: fewer than two ways could be measured", {
      remedy: `\`assay status ${studyDir}\` says why.`,
    });
  const first = await compareStudies([studyDir], { ...request, baseline: fastest });
  const { chosen, tied, unknown } = choose(fastest, first.comparisons, candidates);
  const { comparisons, warnings } =
    chosen === fastest ? first : await compareStudies([studyDir], { ...request, baseline: chosen });
  return {
    chosen: candidates.find(({ name }) => name === chosen)!,
    params: prepared.study.variants.find(({ name }) => name === chosen)!.params,
    ...{ means, tied, unknown, comparisons, warnings, studyDir, summary },
  };
}

/** `assay recommend farm`. */
export const recommendFarm = (options?: RecommendOptions) => recommend(suites.farm!, options);

export interface Choice {
  chosen: string;
  /** Arms that can't be told from the fastest, the fastest first. */
  tied: string[];
  /** Arms without a comparison, and why. */
  unknown: string[];
}

/** The arm with the least mean among those that were measured. */
export function fastestArm(means: ReadonlyMap<string, number>): string | undefined {
  return [...means].toSorted(([, a], [, b]) => a - b)[0]?.[0];
}

/**
 * Of the arms that can't be told from the fastest, the one that risks least: `candidates` are in that order, the
 * safest first. What could not be compared is no reason for or against anything.
 */
export function choose(
  fastest: string,
  againstFastest: readonly Comparison[],
  candidates: readonly Candidate[],
): Choice {
  const others = againstFastest.map(({ candidate, verdict }) => ({ name: candidate.name, verdict }));
  const unknown = others.filter(({ verdict }) => verdict === "unknown").map(({ name }) => name);
  const tied = [
    fastest,
    ...others.filter(({ verdict }) => verdict === "unclear" || verdict === "equal").map(({ name }) => name),
  ];
  const chosen = candidates.find(({ name }) => tied.includes(name))?.name ?? fastest;
  return { chosen, tied, unknown };
}
