import { UserError } from "../../core/errors.ts";
import { numberText, plural } from "../../core/number-text.ts";
import type { Compared } from "./compare-arms.ts";
import type { CompareOptions, Comparison, Gate } from "./comparison.ts";
import { marginWords } from "./sentence.ts";

export interface GateRequest extends Pick<CompareOptions, "margin" | "alpha"> {
  on: readonly Gate[];
  /** Lets a comparison pass that has no answer at all. */
  allowUnjudged?: boolean;
}

/** What a gate was asked and why it fails; it passes where nothing tripped it. */
export interface GateAnswer {
  on: readonly Gate[];
  trips: { on: Gate | "not judged"; why: string }[];
}

/** Whether a comparison lets a candidate pass. */
export function gateOf(compared: Compared, request: GateRequest): GateAnswer {
  const { on, margin, allowUnjudged } = request;
  const undirected = compared.comparisons.find(({ goal }) => goal === null);
  if (undirected)
    throw new UserError(
      `--fail-on: the study does not say whether ${undirected.metric} should rise or fall`,
      {
        remedy: "Add --goal minimize or --goal maximize, or analysis.goal in the study file.",
      },
    );
  if (on.includes("not-noninferior") && !margin)
    throw new UserError("--fail-on not-noninferior needs --margin", {
      expected: "the largest loss that you would accept, such as --margin 5%",
    });
  const trips: GateAnswer["trips"] = [];
  for (const one of compared.comparisons) {
    const trip = (gate: Gate | "not judged", why: string | null) => {
      if (why !== null && (gate === "not judged" || on.includes(gate))) trips.push({ on: gate, why });
    };
    if (one.verdict === "unknown" && !allowUnjudged) trip("not judged", one.sentence);
    trip("regression", one.isRegression ? one.sentence : null);
    trip("missing", whyMissing(one));
    trip("unknown", one.verdict === "unknown" ? null : whyUnknown(one, request));
    if (margin) trip("not-noninferior", whyInferior(one, marginWords(margin)));
  }
  const { progress } = compared;
  if (progress && on.includes("missing"))
    trips.push({
      on: "missing",
      why: `only ${progress.done} of ${plural(progress.planned, "planned run")} are there.`,
    });
  if (on.includes("failures"))
    for (const { verdict, sentence } of compared.failures) {
      // Without a baseline neither arm is the one to blame.
      if (verdict === "more" || (verdict === "fewer" && compared.baseline === null))
        trips.push({ on: "failures", why: sentence });
    }
  return {
    on,
    trips: trips.filter(
      (trip, i) => trips.findIndex(({ why, on: gate }) => why === trip.why && gate === trip.on) === i,
    ),
  };
}

/** Arms without values, or with so many missing that the worst case is a loss beyond the margin. */
function whyMissing(one: Comparison): string | null {
  const { baseline, candidate, bounds, difference, goal, isRegression, metric } = one;
  const lacks = [baseline, candidate]
    .map(({ name, observations, missing }) => ({
      ...{ name, runs: observations },
      lost: Object.values(missing).reduce((total, many) => total + many, 0),
    }))
    .filter(({ lost, runs }) => lost > 0 || runs === 0)
    .map(({ name, lost, runs }) =>
      runs === 0 ? `${name} has no runs` : `${lost} of ${plural(runs, "run")} of ${name} have no value`,
    )
    .join(", and ");
  if (lacks === "") return null;
  if (!difference.known || bounds === null) return `${lacks}, so ${metric} can't be compared.`;
  const worst = goal === "minimize" ? bounds.high : -bounds.low;
  if (isRegression) return null;
  if (bounds.isOpen) return `${lacks}, and ${metric} has no worst value that could stand for them.`;
  if (worst <= (one.margin?.size ?? 0)) return null;
  return `${lacks}: were they all bad for ${candidate.name}, it would lose ${numberText(worst)} on ${metric}.`;
}

/** Whether more data could show what these can't. */
function whyUnknown(one: Comparison, { margin, alpha = 0.05 }: GateRequest): string | null {
  const { difference, goal, pairing, candidate, baseline, metric } = one;
  if (!difference.known) return null;
  const size = pairing.isPaired
    ? plural(pairing.n, pairing.noun)
    : `${candidate.units.length} against ${plural(baseline.units.length, pairing.noun)}`;
  const who = `${candidate.name} against ${baseline.name} on ${metric}`;
  if (margin && one.margin) {
    // A wide interval that lies on one side of the margin has its answer.
    if (one.margin.isExcluded || one.margin.isExceeded) return null;
    const reach =
      goal === "minimize" ? difference.high - difference.value : difference.value - difference.low;
    if (reach <= one.margin.size) return null;
    return `${who}: too little data: with ${size} the interval reaches ${numberText(reach)} to the worse side, more than the margin of ${marginWords(margin)}.`;
  }
  const floor = leastP(one);
  if (floor <= alpha) return null;
  return `${who}: too little data: ${size} can't show any difference at ${alpha} without assuming a shape (the least p is ${numberText(floor)}).`;
}

/** The smallest p that a permutation of so many units can give. */
function leastP({ pairing, candidate, baseline }: Comparison): number {
  if (pairing.isPaired) return 2 ** (1 - (pairing.clusters?.n ?? pairing.n));
  const [a, b] = [candidate.units.length, baseline.units.length];
  let labellings = 1;
  for (let i = 1; i <= Math.min(a, b); i++) labellings *= (Math.max(a, b) + i) / i;
  return 2 / labellings;
}

function whyInferior(one: Comparison, words: string): string | null {
  if (one.margin?.isExcluded === true || one.verdict === "unknown") return null;
  return `${one.sentence.replace(/\.$/, "")}, which does not exclude a loss of ${words}.`;
}
