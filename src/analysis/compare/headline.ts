import type { ArmSet } from "../../design/arm-set.ts";
import { estimateArm } from "../estimate-arm.ts";
import { type Compared, compareArms } from "./compare-arms.ts";
import type { CompareOptions, Comparison } from "./comparison.ts";
import { listWords } from "./list-words.ts";
import { emptiness, settleAsAsked } from "./settle-failures.ts";

/** What a comparison comes to. */
export interface Headline {
  sentence: string;
  /** The comparison that it is about. */
  first: Comparison | undefined;
  /** The arm that is better than the other one, surely. */
  winner: string | null;
  loser: string | null;
}

/** What is best and what can't be told from it, in a sentence; against the baseline where there is one. */
export function headlineFor(
  set: ArmSet,
  { comparisons: all, baseline, leaders }: Pick<Compared, "comparisons" | "baseline" | "leaders">,
): Headline {
  const { metric } = set;
  const comparisons = all.filter((one) => one.metric === metric && one.part === set.part);
  const leader = leaderOf(set, leaders);
  const known = comparisons.filter(({ verdict }) => verdict !== "unknown");
  const [strongest] = known.toSorted((a, b) => sizeOf(b) - sizeOf(a));
  if (!strongest || leader === null) {
    const first = strongest ?? comparisons[0];
    return {
      sentence: first?.sentence ?? `Nothing is known about ${metric}${whyNothing(set)}.`,
      first,
      winner: null,
      loser: null,
    };
  }
  const told =
    baseline === null
      ? amongAll(comparisons, leader, metric)
      : againstBaseline(comparisons, { baseline, leader, metric });
  if (set.part === null || told.sentence === told.first?.sentence) return told;
  const where = `${set.part}: `;
  return { ...told, sentence: `${where}${told.sentence.replace(where, "")}` };
}

/** Which arms have no value, where some have. */
function whyNothing(set: ArmSet): string {
  const whys = settleAsAsked(set, {}).arms.map((arm) => emptiness(arm));
  const known = whys.filter((why) => why !== undefined);
  return known.length > 0 && known.length < whys.length ? `: ${listWords(known)}` : "";
}

/** What is best on each metric, where no comparison says it by itself. */
export function headlinesOf(sets: readonly ArmSet[], compared: Compared): string[] {
  return sets.flatMap((set) => {
    const { sentence, first } = headlineFor(set, compared);
    return sentence === first?.sentence ? [] : [sentence];
  });
}

function amongAll(comparisons: readonly Comparison[], leader: string, metric: string): Headline {
  const beaten = comparisons.filter(({ verdict }) => verdict === "better");
  const rivals = comparisons.filter(({ verdict }) => verdict !== "better");
  const [nearest] = comparisons;
  if (comparisons.length === 1)
    return {
      ...{ sentence: nearest!.sentence, first: nearest },
      ...(beaten.length === 1
        ? { winner: leader, loser: nearest!.baseline.name }
        : { winner: null, loser: null }),
    };
  if (rivals.length === 0)
    return {
      sentence: `${leader} is best on ${metric}: ${lowered(nearest!, leader)}`,
      first: nearest,
      winner: leader,
      loser: nearest!.baseline.name,
    };
  const twins = rivals.filter(({ isExact, verdict }) => isExact && verdict === "equal");
  const open = rivals.filter((one) => !twins.includes(one)).map(({ baseline }) => baseline.name);
  const first = [leader, ...twins.map(({ baseline }) => baseline.name)];
  const isOne = first.length === 1;
  const but = open.length > 0 ? `, but can't be told from ${listWords(open)}` : "";
  const rest =
    beaten.length > 0
      ? `; ${isOne ? "it beats" : "they beat"} ${listWords(beaten.map(({ baseline }) => baseline.name))}`
      : "";
  return {
    sentence: isOne
      ? `${leader} leads on ${metric}${but}${rest}.`
      : `${first.slice(0, -1).join(", ")} and ${first.at(-1)} are identical on ${metric}${but}${rest}.`,
    first: rivals[0],
    winner: beaten.length > 0 ? leader : null,
    loser: beaten.at(-1)?.baseline.name ?? null,
  };
}

/** "it beats b, the next best, by 5 % [2, 8], 10 seeds, paired." */
function lowered({ sentence, baseline, part }: Comparison, leader: string): string {
  const where = part === null ? "" : `${part}: `;
  const plain = sentence.startsWith(`${where}${leader} beats ${baseline.name} on `);
  if (!plain) return sentence;
  const amount = sentence.slice(sentence.indexOf(" by "));
  return `it beats ${baseline.name}, the next best,${amount}`;
}

function againstBaseline(
  comparisons: readonly Comparison[],
  { baseline, leader, metric }: { baseline: string; leader: string; metric: string },
): Headline {
  const better = comparisons
    .filter(({ verdict }) => verdict === "better")
    .toSorted((a, b) => sizeOf(b) - sizeOf(a));
  const best = better.find(({ candidate }) => candidate.name === leader) ?? better[0];
  if (best) return { sentence: best.sentence, first: best, winner: best.candidate.name, loser: baseline };
  const open = comparisons.filter(({ verdict }) => verdict === "unclear" || verdict === "equal");
  const worse = comparisons.filter(({ verdict }) => verdict === "worse");
  const mildest = worse.toSorted((a, b) => sizeOf(a) - sizeOf(b))[0];
  if (comparisons.length === 1) {
    const [only] = comparisons;
    const winner = only!.verdict === "worse" ? baseline : null;
    return {
      sentence: only!.sentence,
      first: only,
      winner,
      loser: winner === null ? null : only!.candidate.name,
    };
  }
  if (open.length === 0 && mildest)
    return {
      sentence: `${baseline}, the baseline, is best on ${metric}: ${mildest.sentence}`,
      first: mildest,
      winner: baseline,
      loser: mildest.candidate.name,
    };
  const names = listWords(open.map(({ candidate }) => candidate.name));
  const rest =
    worse.length > 0
      ? `; ${listWords(worse.map(({ candidate }) => candidate.name))} ${worse.length === 1 ? "is" : "are"} worse`
      : "";
  return {
    sentence: `No arm beats ${baseline}, the baseline, on ${metric}: ${names} can't be told from it${rest}.`,
    first: open.find(({ candidate }) => candidate.name === leader) ?? open[0],
    winner: null,
    loser: null,
  };
}

/** How far an arm is from the other one, whatever the unit. */
function sizeOf({ relative, difference }: Comparison): number {
  if (relative.known) return Math.abs(relative.value);
  return difference.known ? Math.abs(difference.value) : -1;
}

/** The best arm; null where the study doesn't say which way is better. */
export function leaderOf(
  { metric, part }: Pick<ArmSet, "metric" | "part">,
  leaders: Compared["leaders"],
): string | null {
  return leaders.find((one) => one.metric === metric && one.part === part)?.name ?? null;
}

/** What a second metric is told beside: who won on the first, against what the arms are compared. */
export interface Beside {
  winner: string | null;
  loser: string | null;
  baseline: string | null;
  options?: CompareOptions;
}

/** What a second metric says of the winner: that it pays there, or not; else what it shows by itself. */
export function alsoSentences(set: ArmSet, { winner, loser, baseline, options }: Beside): string[] {
  const settled = settleAsAsked(set, options ?? {});
  if (settled.arms.every((arm) => estimateArm(arm, settled).mean === null)) return [];
  const quick = { withPower: false, ...options };
  if (winner === null || loser === null) {
    const compared = compareArms([set], { ...quick, ...(baseline !== null && { baseline }) });
    return [headlineFor(set, compared).sentence];
  }
  // Two of the arms are compared as they would be among all.
  const pair = {
    ...set,
    ...{ scale: settled.scale, centre: settled.centre },
    arms: set.arms.filter(({ name }) => name === winner || name === loser),
  };
  const [one] = compareArms([pair], { ...quick, baseline: loser }).comparisons;
  if (!one || one.verdict === "unknown") return [];
  return [`${one.verdict === "worse" ? "But " : ""}${one.sentence}`];
}
