import type { Comparison } from "../analysis/compare/comparison.ts";

/** A configuration that could be recommended. */
export interface Candidate {
  /** Its arm in the study. */
  name: string;
  /** In words. */
  what: string;
  /** What a crash or a power cut costs. */
  risk: string;
}

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
