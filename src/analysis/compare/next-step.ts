import { durationText, plural } from "../../core/number-text.ts";
import type { UnitKind } from "../../design/unit.ts";
import { noiseWith, tTestPower } from "../../stats/index.ts";
import type { Compared } from "./compare-arms.ts";
import type { Comparison } from "./comparison.ts";
import { listWords } from "./list-words.ts";

/** What is known of the study behind a comparison. */
export interface Launchable {
  /** `assay run study.yaml`; null where the runs were made elsewhere. */
  command: string | null;
  unit: UnitKind;
  seeds: readonly number[];
  /** Runs that one more unit takes, over all arms and settings. */
  runsPerUnit: number;
  /** How long one more run takes, with as many at a time as so far; null where nobody timed them. */
  msPerRun: number | null;
  /** Planned runs that have not been done yet. */
  pending: number;
}

/** More than so many times the units at hand is another study. */
const FAR = 100;
const WANTED = 0.8;

/** What to do after a comparison, in a sentence or two: what would settle it, and how; or that nothing would. */
export function nextStep({ comparisons }: Pick<Compared, "comparisons">, study: Launchable | null): string[] {
  if (study && study.pending > 0) return [finishing(study)];
  if (comparisons.length === 0)
    return [
      "Nothing could be compared: no two arms have values of this metric. `--metric` takes another one.",
    ];
  const lines: string[] = [];
  const turned = comparisons.filter(({ bounds, verdict }) => bounds?.turns && verdict !== "unclear");
  if (turned.length > 0)
    lines.push(
      `Get the missing values first: they could turn ${namesOf(turned, comparisons)}.${study?.command ? ` \`${study.command}\` repeats what failed.` : ""}`,
    );
  const open = comparisons.filter(({ verdict }) => verdict === "unclear");
  const unknown = comparisons.filter(({ verdict }) => verdict === "unknown");
  if (open.length === 0 && unknown.length === 0)
    return lines.length > 0 ? lines : ["Nothing more to learn here: every comparison has its answer."];
  const few = unknown.filter(({ pairing }) => pairing.n === 1);
  if (few.length > 0) lines.push(firstRuns(few[0]!, study));
  const needs = open.map((one) => ({ one, need: needOf(one) }));
  const near = needs.filter(({ one, need }) => need !== null && need.units <= FAR * sizeOf(one));
  const far = needs.filter((entry) => !near.includes(entry));
  if (near.length > 0) lines.push(settling(near as Needed[], { comparisons, study }));
  if (far.length > 0) lines.push(hopeless(far, { comparisons, isAlone: lines.length === 0 }));
  return lines;
}

function finishing({ pending, msPerRun, command }: Launchable): string {
  const cost = msPerRun === null ? "" : `, about ${durationText(pending * msPerRun)}`;
  const how = command === null ? "" : `: \`${command}\``;
  return `Finish the study first, ${plural(pending, "run")} ${pending === 1 ? "is" : "are"} still to do${cost}${how}.`;
}

interface Need {
  /** In all. */
  units: number;
  noun: string;
  /** Of each task, where that would do it with the tasks at hand. */
  samples: number | null;
}

interface Context {
  comparisons: readonly Comparison[];
  study: Launchable | null;
}

interface Needed {
  one: Comparison;
  need: Need;
}

function sizeOf({ power, pairing }: Comparison): number {
  return power?.n ?? pairing.n;
}

function needOf(one: Comparison): Need | null {
  const { power } = one;
  if (!power || power.neededN === null) return null;
  const units = Math.max(power.neededN, power.n + 1);
  return { units, noun: power.noun, samples: samplesFor(one) };
}

/** How many samples of each task find the target with the tasks at hand; null where no number does. */
function samplesFor({ noise, power }: Comparison): number | null {
  if (!noise || !power) return null;
  const powerWith = (samples: number) => {
    const sd = noiseWith(noise, noise.tasks, samples).both * Math.sqrt(noise.tasks);
    if (sd === 0) return 1;
    const answer = tTestPower(power.target, noise.tasks, { design: "paired", sd, alpha: power.alpha });
    return answer.known ? answer.value : 0;
  };
  const most = 1 << 10;
  if (powerWith(most) < WANTED) return null;
  let [low, high] = [0, 1];
  while (powerWith(high) < WANTED) [low, high] = [high, 2 * high];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (powerWith(middle) < WANTED) low = middle;
    else high = middle;
  }
  return high;
}

function settling(near: readonly Needed[], { comparisons, study }: Context): string {
  const { one, need } = near.toSorted((a, b) => b.need.units - a.need.units)[0]!;
  const own = near.map((entry) => entry.one);
  const what = comparisons.length === 1 ? "it" : namesOf(own, comparisons);
  const chance =
    one.power!.targetIs === "margin"
      ? "(a true difference of the margin is then found four times in five)"
      : "(four times in five, if the true difference is the one seen)";
  const samples = near.every((entry) => entry.need.samples !== null)
    ? near.reduce((most, entry) => Math.max(most, entry.need.samples!), 0)
    : null;
  if (samples !== null && study?.unit !== "seed") {
    const tries = study?.seeds.length ?? 1;
    const perSample = study && { ...study, runsPerUnit: (study.runsPerUnit / tries) * sizeOf(one) };
    const cost = costWords(perSample, samples - tries);
    return `${plural(samples, "sample")} of each ${need.noun} would settle ${what}${cost}${commandWords(study, samples)} ${chance}; so would ${plural(need.units, need.noun)} with as many samples as now.`;
  }
  const each = one.pairing.isPaired ? "" : " per arm";
  const cost = costWords(study, need.units - sizeOf(one));
  return `${plural(need.units, need.noun)}${each} would settle ${what}${cost}${wayTo(study, need)} ${chance}.`;
}

/** How more units are had: seeds by an option, everything else in the study file. */
function wayTo(study: Launchable | null, { units }: Need): string {
  if (!study?.command) return "";
  if (study.unit === "seed") return commandWords(study, units);
  if (study.unit === "round" || study.unit === "repeat")
    return `: set \`repeats: ${units}\` in the study file, then \`${study.command}\``;
  return study.unit === "task" ? `: add tasks to the study, then \`${study.command}\`` : "";
}

/** `, about 20 s`. */
function costWords(study: Launchable | null, units: number): string {
  if (study?.msPerRun == null || units <= 0) return "";
  return `, about ${durationText(units * study.runsPerUnit * study.msPerRun)}`;
}

function commandWords(study: Launchable | null, count: number): string {
  if (!study?.command) return "";
  return `: \`${study.command} --seeds ${seedWords(study.seeds, count)}\``;
}

/** So many seeds, those that there are first: `1..14`, `7,42,43..54`. */
function seedWords(seeds: readonly number[], count: number): string {
  const sorted = [...seeds].sort((a, b) => a - b);
  const first = sorted[0] ?? 1;
  const isRange = sorted.every((seed, i) => seed === first + i);
  if (isRange) return `${first}..${first + count - 1}`;
  const next = sorted.at(-1)! + 1;
  return `${sorted.join(",")},${next}..${next + count - sorted.length - 1}`;
}

function firstRuns({ pairing }: Comparison, study: Launchable | null): string {
  const how = study?.unit === "seed" ? commandWords(study, 5) : "";
  return `One ${pairing.noun} shows no spread: five or more give an answer${how}.`;
}

function hopeless(
  far: readonly { one: Comparison; need: Need | null }[],
  { comparisons, isAlone }: { comparisons: readonly Comparison[]; isAlone: boolean },
): string {
  const known = far.flatMap(({ need }) => (need ? [need] : []));
  const least = known.toSorted((a, b) => a.units - b.units)[0];
  const what =
    comparisons.length === 1
      ? "these arms"
      : namesOf(
          far.map(({ one }) => one),
          comparisons,
        );
  const size = least
    ? `: telling ${what} apart would take ${least.units > 1e6 ? `over a million ${least.noun}s` : plural(least.units, least.noun)}`
    : "";
  const margin = " Say which difference matters with --margin, and they may be shown to be equal.";
  return `${isAlone ? "Nothing more to learn here" : "The rest is out of reach"}${size}.${margin}`;
}

/** By the arm that tells it from the others. */
function namesOf(some: readonly Comparison[], all: readonly Comparison[]): string {
  if (some.length === all.length) return all.length === 1 ? "the result" : `all ${all.length} comparisons`;
  const isBest = all.every(({ candidate }) => candidate.name === all[0]!.candidate.name);
  return listWords(some.map(({ candidate, baseline }) => (isBest ? baseline.name : candidate.name)));
}
