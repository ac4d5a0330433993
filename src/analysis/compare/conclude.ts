import { SUSPECT } from "../../core/agent-run.ts";
import { numberText, plural } from "../../core/number-text.ts";
import type { RunRecord } from "../../core/run.ts";
import { RUN_NOTE, type Warning, warningOfRun } from "../../core/warning.ts";
import type { ArmSet } from "../../design/arm-set.ts";
import type { Confounder } from "../../design/confounders.ts";
import type { Standing } from "../../design/standing.ts";
import { type Compared, compareArms } from "./compare-arms.ts";
import type { CompareOptions } from "./comparison.ts";
import { alsoSentences, headlineFor, headlinesOf } from "./headline.ts";
import { type Launchable, nextStep } from "./next-step.ts";

/** What is to be known of an answer besides its numbers. */
export interface Qualifications {
  /** What else differs between the sides, and the sides' names. */
  confounders?: readonly Confounder[];
  names?: readonly string[];
  /** What is to be doubted about the design. */
  cautions?: readonly { kind: string; text: string }[];
  records?: readonly RunRecord[];
  /** Which number of each run was compared, where the plain name of a metric stands for one of several. */
  statistics?: readonly string[];
  standing?: Standing | null;
  /** What else is to be said, as it stands. */
  notes?: readonly Warning[];
}

/** A comparison, and what it comes to. */
export interface Conclusion {
  compared: Compared;
  /** In a sentence for each metric, where there is no baseline. */
  headlines: string[];
  /** What further metrics say of the winner. */
  also: string[];
  /** What to do about it. */
  next: string[];
}

interface Around {
  options: CompareOptions;
  about?: Qualifications;
  /** Of further metrics, and the baseline that the design has. */
  also?: { sets: readonly ArmSet[]; baseline: string | null };
  /** The study that could go on; null where there is none. */
  study?: Launchable | null;
}

/** Compares arms and says all that goes with it: what is best, what is to be doubted, what to do next. */
export function conclude(
  sets: readonly ArmSet[],
  { options, about, also, study = null }: Around,
): Conclusion {
  const compared = qualify(compareArms(sets, options), {
    ...about,
    notes: [...(about?.notes ?? []), ...notesOn(sets, about?.records ?? [])],
  });
  const { baseline: _, ...others } = options;
  const told = also && also.sets.length > 0 && sets[0] ? headlineFor(sets[0], compared) : undefined;
  return {
    compared,
    headlines: headlinesOf(sets, compared),
    also: told
      ? also!.sets.flatMap((set) =>
          alsoSentences(set, { ...told, baseline: also!.baseline, options: others }),
        )
      : [],
    next: nextStep(compared, study),
  };
}

/** What runs say of their own results, as far as it concerns what was compared. */
function notesOn(sets: readonly ArmSet[], records: readonly RunRecord[]): Warning[] {
  const each = [...new Set(records)];
  const notes = sets.flatMap(({ metric }) => runNotes(each, metric));
  return [...new Map(notes.map((note) => [note.text, note])).values()];
}

/** The comparison with everything that may be the cause besides what was asked, or is to be doubted. */
function qualify(compared: Compared, about: Qualifications): Compared {
  const { confounders = [], names = [], cautions = [], records = [], statistics = [] } = about;
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
      ...correctionFor(about.standing ?? null, comparisons),
      ...(about.notes ?? []),
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

/** "cpu, node and lines differ, too" */
function confounderWords(confounders: readonly Confounder[]): string {
  const names = confounders.map(({ what }) => what);
  const listed =
    names.length > 3
      ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} more`
      : names.length > 1
        ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`
        : names[0];
  return `${listed} ${names.length === 1 ? "differs" : "differ"}, too`;
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

/** More kinds of notes than this are for the table. */
const MOST_KINDS = 4;
/** A digit inside a word, as in p95, is part of its name. */
const NUMBER = /(?<![\w.])\d+(?:\.\d+)?(?!\w)/g;

/**
 * What runs say of their own results, such as "3 of 50 workflows did not finish": one line for each kind of note, with
 * the range of its numbers. A note that only some runs have may be why they differ, so it is a warning. One on a metric
 * that the study is not about is left to the table.
 */
export function runNotes(records: readonly RunRecord[], metric: string | null): Warning[] {
  const good = records.filter(({ outcome }) => outcome.status === "ok");
  const kinds = new Map<string, { texts: string[]; runs: Set<string> }>();
  for (const { id, warnings = [], metrics } of good)
    for (const text of warnings) {
      const [subject] = text.split(" ");
      const isOfAnother = subject !== metric && Object.hasOwn(metrics, subject!);
      // Those have a warning of their own.
      if (isOfAnother || warningOfRun(text).kind !== RUN_NOTE) continue;
      const kind = text.replaceAll(NUMBER, "#");
      const { texts, runs } = kinds.get(kind) ?? { texts: [], runs: new Set() };
      texts.push(text);
      kinds.set(kind, { texts, runs: runs.add(id) });
    }
  const byRuns = [...kinds].sort(([, a], [, b]) => b.runs.size - a.runs.size);
  const notes = byRuns.slice(0, MOST_KINDS).map(([kind, { texts, runs }]): Warning => {
    const isAll = runs.size === good.length;
    const where = isAll ? "all runs" : `${runs.size} of ${plural(good.length, "run")}`;
    return {
      kind: RUN_NOTE,
      level: isAll ? "info" : "warn",
      text: `In ${where}, ${withRanges(kind, texts)}.`,
    };
  });
  const more = byRuns.length - MOST_KINDS;
  if (more > 0)
    notes.push({
      ...{ kind: RUN_NOTE, level: "info" },
      text: `Runs have ${plural(more, "further kind")} of notes: \`notes\` in runs.csv has all of them.`,
    });
  return notes;
}

function withRanges(kind: string, texts: readonly string[]): string {
  const rows = texts.map((text) => text.match(NUMBER) ?? []);
  let i = 0;
  return kind.replaceAll("#", () => {
    const column = i++;
    const found = rows.map((row) => row[column]!);
    const numbers = found.map(Number);
    const low = numbers.reduce((a, b) => Math.min(a, b));
    const high = numbers.reduce((a, b) => Math.max(a, b));
    return low === high ? found[0]! : `${low} to ${high}`;
  });
}
