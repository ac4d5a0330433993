import type { Comparison } from "../analysis/compare/comparison.ts";
import { differing, isDiffering } from "../analysis/compare/failure-rates.ts";
import { listWords } from "../analysis/compare/list-words.ts";
import {
  fixedText,
  numberText,
  percentText,
  plural,
  pText,
  rangeText,
  rounded,
} from "../core/number-text.ts";
import type { Warning } from "../core/warning.ts";
import type { Standing } from "../design/standing.ts";
import type { ComparedStudies } from "../read/compare/compare-runs.ts";

const HEADER = ["metric", "arm", "n", "mean", "difference", "relative", "p", "adjusted p", "power"];

/** A comparison for people: what it says first, then the numbers, then how they came to be and what to doubt. */
export interface CompareText {
  sentences: string[];
  header: string[];
  rows: string[][];
  notes: { title: string; lines: string[] }[];
}

export function compareText(compared: ComparedStudies): CompareText {
  const {
    comparisons,
    warnings,
    alpha,
    headlines,
    also,
    baseline,
    ranks,
    failures,
    next,
    standing,
    decision,
  } = compared;
  const hasParts = comparisons.some(({ part }) => part !== null);
  const rankOf = rankColumn(compared);
  const header = [...(hasParts ? ["part"] : []), ...HEADER, ...(rankOf ? ["rank"] : [])];
  const rows: string[][] = [];
  let before: Comparison | undefined;
  for (const one of comparisons) {
    const part = hasParts ? [one.part ?? ""] : [];
    const isNew =
      before?.metric !== one.metric ||
      before.part !== one.part ||
      referenceOf(before, baseline).mean !== referenceOf(one, baseline).mean;
    const ranked = (arm: Comparison["baseline"]) => (rankOf ? [rankOf(one, arm.name)] : []);
    if (isNew) rows.push([...part, ...referenceRow(one, baseline), ...ranked(referenceOf(one, baseline))]);
    rows.push([
      ...part,
      ...otherRow(one, baseline),
      ...ranked(baseline === null ? one.baseline : one.candidate),
    ]);
    before = one;
  }
  const isWider = comparisons.some((one) => one.level > 1 - alpha);
  const among = compared.adjust === "simultaneous" ? " at once" : isWider ? ", adjusted" : "";
  const level = `${numberText(100 * (1 - alpha))} %${among}`;
  const target = comparisons.find(({ power }) => power)?.power?.targetIs ?? "seen";
  return {
    sentences: [
      ...(decision ? [decision.sentence] : []),
      ...headlines,
      ...ranks.flatMap(neighbours),
      // The table says it of each.
      ...(headlines.length > 0 && comparisons.length > MANY
        ? []
        : comparisons.map(({ sentence }) => sentence)),
      ...differing(failures),
      ...also,
    ],
    header: header.map((name) => {
      if (name === "power") return `power (${target})`;
      const isRange = name === "difference" || name === "relative";
      const of = baseline === null && isRange ? " of the best" : "";
      return isRange ? `${name}${of} [${level}]` : name;
    }),
    rows,
    notes: [
      {
        title: "Standing",
        lines: [
          ...(decision?.standing
            ? [`The decision is ${decision.standing.status}: ${decision.standing.why}.`]
            : []),
          ...(standing ? [standingText(standing)] : []),
        ],
      },
      {
        title: "Two intervals",
        lines: decision
          ? [
              "The first sentence holds whenever and however often you look, and is what stopped the study. The table's intervals and p are those of a fixed number of runs: shorter, and not valid for a study that stops when it likes.",
            ]
          : [],
      },
      { title: "Pairing", lines: grouped(comparisons, ({ pairing }) => [pairing.note]) },
      { title: "Method", lines: grouped(comparisons, methodLines) },
      {
        title: "Failures",
        lines: failures.filter((one) => !isDiffering(one)).map(({ sentence }) => sentence),
      },
      { title: "Effect sizes", lines: grouped(comparisons, effectLines) },
      {
        title: "Runs needed",
        lines: grouped(
          comparisons,
          comparisons.length > MANY
            ? (one) => (one.verdict === "unclear" ? powerLines(one) : [])
            : powerLines,
        ),
      },
      {
        title: "Warnings",
        lines: [...grouped(comparisons, (one) => textsOf(one.warnings)), ...textsOf(warnings)],
      },
      { title: "Next", lines: next },
    ].filter(({ lines }) => lines.length > 0),
  };
}

/** `Exploratory: the study file names score as its metric, not other.` */
export function standingText({ status, why }: Standing): string {
  return `${status[0]!.toUpperCase()}${status.slice(1)}: ${why}.`;
}

function textsOf(warnings: readonly Warning[]): string[] {
  return warnings.map(({ text }) => text);
}

/** More comparisons than this are not read out. */
const MANY = 10;

/** The ranks that an arm may truly have, where there are some. */
function rankColumn({ ranks }: ComparedStudies): ((one: Comparison, arm: string) => string) | undefined {
  if (ranks.length === 0) return undefined;
  return ({ metric, part }, arm) => {
    const own = ranks.find((one) => one.metric === metric && one.part === part);
    const range = own?.arms.find(({ name }) => name === arm);
    return range ? rankText(range.best, range.worst) : "";
  };
}

/** `3`, `1 to 4`. */
export function rankText(best: number, worst: number): string {
  return best === worst ? String(best) : `${best} to ${worst}`;
}

/** Which ranks hold, and which neighbours in the order are apart. */
function neighbours({ part, metric, arms }: ComparedStudies["ranks"][number]): string[] {
  const held = arms.filter(({ best, worst }) => best === worst);
  const apart = arms.flatMap(({ name, isAboveNext }, i) =>
    isAboveNext ? [`${name} above ${arms[i + 1]!.name}`] : [],
  );
  const where = part === null ? "" : `${part}: `;
  const ranks =
    held.length === 0
      ? "no rank holds"
      : held.length === arms.length
        ? "every rank holds"
        : `${plural(held.length, "rank")} of ${arms.length} ${held.length === 1 ? "holds" : "hold"} (${listWords(held.map(({ rank, name }) => `${rank}, ${name}`))})`;
  const told =
    apart.length === arms.length - 1
      ? "every arm can be told from the next"
      : apart.length === 0
        ? "no arm can be told from the next"
        : `${apart.length} of ${arms.length - 1} neighbors can be told apart (${listWords(apart)})`;
  return [`${where}On ${metric}, ${ranks}, and ${told}.`];
}

/** What the others are compared with: the baseline, or the best arm where there is none. */
function referenceOf({ baseline, candidate }: Comparison, name: string | null): Comparison["baseline"] {
  return name === null ? candidate : baseline;
}

function referenceRow(one: Comparison, name: string | null): string[] {
  const arm = referenceOf(one, name);
  const role = name === null ? "best" : "baseline";
  return [
    ...[one.metric, `${arm.name} (${role})`, String(arm.units.length), meanText(arm.mean, one.kind)],
    ...Array(5).fill(""),
  ];
}

function otherRow(one: Comparison, name: string | null): string[] {
  const { metric, kind, difference, relative, p, adjustedP, power } = one;
  const arm = name === null ? one.baseline : one.candidate;
  const scale = kind === "rate" ? 100 : 1;
  const range = (r: { value: number; low: number; high: number }, factor: number, unit: string) =>
    rangeText(
      { value: r.value * factor, low: r.low * factor, high: r.high * factor },
      { unit, signed: true },
    );
  return [
    metric,
    arm.name,
    String(arm.units.length),
    meanText(arm.mean, kind),
    difference.known ? range(difference, scale, kind === "rate" ? " points" : "") : "unknown",
    relative.known ? range(relative, 100, " %") : "",
    p === null ? "" : pText(p),
    adjustedP === null ? "" : pText(adjustedP),
    power?.atTarget === undefined || power?.atTarget === null ? "" : powerText(power.atTarget),
  ];
}

function meanText(mean: number | null, kind: Comparison["kind"]): string {
  if (mean === null) return "";
  return kind === "rate" ? percentText(mean) : numberText(mean);
}

function powerText(power: number): string {
  return power > 0.99 ? "> .99" : fixedText(power, 2).replace(/^0/, "");
}

function methodLines({ method, check, floor, pairing }: Comparison): string[] {
  if (!method) return [];
  const lines = [`${method.name}, because ${method.why}.`];
  const least =
    floor !== null && floor >= 0.001 && pairing.n < 20 ? ` (it can't go below ${pText(floor)} here)` : "";
  if (check) lines.push(`Second test, ${check.method}: p ${pText(check.p)}${least}.`);
  return lines;
}

function effectLines({ effects, pairing, candidate, baseline }: Comparison): string[] {
  if (!effects) return [];
  const { superiority, hedgesG, interquartile } = effects;
  const spread = pairing.isPaired ? "standard deviations of the differences" : "pooled standard deviations";
  const lines = [
    superiority.known
      ? `P(${candidate.name} > ${baseline.name}), ties half: ${rangeText(superiority)}.`
      : `P(X > Y): unknown, because ${superiority.why}.`,
    hedgesG.known
      ? `Hedges' g: ${rangeText(hedgesG, { signed: true })} ${spread}.`
      : `Hedges' g: unknown, because ${hedgesG.why}.`,
  ];
  if (!interquartile.known)
    return [...lines, `Mean of the middle half: unknown, because ${interquartile.why}.`];
  const { difference } = interquartile;
  const gap = difference.known ? `; difference ${rangeText(difference, { signed: true })}` : "";
  const means = `${numberText(interquartile.candidate)} against ${numberText(interquartile.baseline)}`;
  return [...lines, `Mean of the middle half (IQM): ${means}${gap}.`];
}

function powerLines({ power, kind, pairing, baseline }: Comparison): string[] {
  if (!power) return [];
  const amount = (x: number) => {
    if (kind === "rate") return `${numberText(rounded(100 * x, 2))} points`;
    const share = baseline.mean ? ` (${numberText(rounded((100 * x) / Math.abs(baseline.mean), 2))} %)` : "";
    return `${numberText(rounded(x, 3))}${share}`;
  };
  const per = pairing.isPaired ? "" : " per arm";
  const parts: string[] = [];
  if (power.detectable !== null)
    parts.push(
      `${plural(power.n, power.noun)}${per} find a true difference of ${amount(power.detectable)} four times in five.`,
    );
  if (power.neededN !== null) {
    const target =
      power.targetIs === "margin"
        ? `the margin of ${amount(power.target)}`
        : `one as large as seen, ${amount(power.target)}`;
    const needed = power.neededN > 1e6 ? `over a million ${power.noun}s` : plural(power.neededN, power.noun);
    parts.push(`To find ${target}: ${needed}${per}.`);
  }
  return parts.length > 0 ? [parts.join(" ")] : [];
}

/** Lines that all comparisons share are said once; others carry the name of theirs. */
function grouped(comparisons: readonly Comparison[], linesOf: (one: Comparison) => string[]): string[] {
  const lines = new Map<string, Comparison[]>();
  for (const one of comparisons)
    for (const line of linesOf(one)) lines.set(line, [...(lines.get(line) ?? []), one]);
  return [...lines].map(([line, owners]) =>
    comparisons.length === 1 || owners.length === comparisons.length
      ? line
      : `${ownersText(owners, comparisons)}: ${line}`,
  );
}

function ownersText(owners: readonly Comparison[], all: readonly Comparison[]): string {
  const names = [...new Set(owners.map((one) => nameOf(one, all)))];
  return names.length > 3 ? `${owners.length} of ${all.length}` : names.join("; ");
}

/** By the arm in which it differs from the others: without a baseline they share the best arm. */
function nameOf({ part, metric, candidate, baseline }: Comparison, all: readonly Comparison[]): string {
  const isBest = all.length > 1 && all.every((one) => one.candidate.name === candidate.name);
  const parts = [isBest ? baseline.name : candidate.name];
  if (new Set(all.map((one) => one.metric)).size > 1) parts.push(metric);
  if (part !== null) parts.unshift(part);
  return parts.join(", ");
}
