import { numberText, plural } from "../../core/number-text.ts";
import type { RunRecord } from "../../core/run.ts";
import { SUSPECT } from "../../core/suspect.ts";
import type { Warning } from "../../core/warning.ts";
import { type Confounder, confounderWords } from "../../design/confounders.ts";
import type { Standing } from "../../design/standing.ts";
import type { Compared } from "./compare-arms.ts";

/** What is to be known of an answer besides its numbers. */
export interface Qualifications {
  /** What else differs between the sides, and the sides' names. */
  confounders: readonly Confounder[];
  names: readonly string[];
  /** What is to be doubted about the design. */
  cautions?: readonly { kind: string; text: string }[];
  records?: readonly Pick<RunRecord, "labels" | "metrics">[];
  /** Which number of each run was compared, where the plain name of a metric stands for one of several. */
  statistics?: readonly string[];
  standing?: Standing | null;
}

/** The comparison with everything that may be the cause besides what was asked, or is to be doubted. */
export function qualify(compared: Compared, about: Qualifications): Compared {
  const { confounders, names, cautions = [], records = [], statistics = [], standing = null } = about;
  const comparisons = confounders.length === 0 ? compared.comparisons : confounded(compared, confounders);
  return {
    ...compared,
    ...(confounders.length > 0 && { confounders: [...confounders] }),
    comparisons,
    warnings: [
      ...confounderWarning(confounders, names),
      ...compared.warnings,
      ...cautions.map(({ kind, text }) => ({ kind, level: "warn" as const, text })),
      ...suspectRuns(records),
      ...statistics.map((text) => ({ kind: "statistic", level: "info" as const, text })),
      ...correctionFor(standing, comparisons),
    ],
  };
}

/** What differs besides what was asked goes with every verdict: either may be the cause. */
function confounded({ comparisons }: Compared, confounders: readonly Confounder[]): Compared["comparisons"] {
  const words = confounderWords(confounders);
  return comparisons.map((one) => ({
    ...one,
    sentence: one.verdict === "unknown" ? one.sentence : one.sentence.replace(/\.$/, `; ${words}.`),
  }));
}

function confounderWarning(confounders: readonly Confounder[], names: readonly string[]): Warning[] {
  if (confounders.length === 0) return [];
  const listed = confounders.map(({ what, values }) => `${what} (${values.join("; ")})`).join(", ");
  return [
    {
      ...{ kind: "confounded", level: "warn" },
      text: `${names.join(" and ")} differ in more than what was asked: ${listed}. What is found may come from any of these.`,
    },
  ];
}

/** Runs whose tests may have been passed in another way than by solving the task. They count as they were graded. */
export function suspectRuns(records: readonly Pick<RunRecord, "labels" | "metrics">[]): Warning[] {
  const suspects = records.filter(({ labels }) => labels?.[SUSPECT] !== undefined);
  if (suspects.length === 0) return [];
  const kinds = new Map<string, number>();
  for (const { labels } of suspects)
    for (const kind of labels![SUSPECT]!.split(", ")) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const listed = [...kinds].sort(([, a], [, b]) => b - a).map(([kind, count]) => `${kind}: ${count}`);
  const solved = suspects.filter(({ metrics }) => metrics.solved === 1).length;
  return [
    {
      kind: "suspect",
      level: "warn",
      text: `${suspects.length} of ${plural(records.length, "run")} ${suspects.length === 1 ? "is" : "are"} suspect (${listed.join("; ")}), of which ${solved} count as solved. Nothing was taken off their scores: look at them with \`assay query STUDY --where "${SUSPECT} != ''"\`.`,
    },
  ];
}

/** With k questions that a locked plan doesn't have, each p counts k times (Bonferroni). */
function correctionFor(standing: Standing | null, comparisons: Compared["comparisons"]): Warning[] {
  const k = standing?.questions ?? 1;
  if (k < 2) return [];
  const ps = comparisons.flatMap(({ candidate, baseline, metric, adjustedP, p }) => {
    const raw = adjustedP ?? p;
    if (raw === null) return [];
    return [
      `${candidate.name} against ${baseline.name} on ${metric}: p = ${numberText(Math.min(1, k * raw))}`,
    ];
  });
  const text = `${k} questions that the locked plan doesn't have were asked of this study so far. Corrected for that: ${ps.join("; ") || "nothing is left to correct"}.`;
  return [{ kind: "questions", level: "warn", text }];
}
