import { type Note, type Subject, subjectKey } from "../../core/note.ts";
import { cohenKappa, krippendorffAlpha, type Label, type Result, type Value } from "../../stats/index.ts";

/** How far people agree in their verdicts. */
export interface Agreement {
  /** Who gave verdicts, the most industrious first. */
  raters: { name: string; verdicts: number }[];
  /** What two or more have judged. */
  shared: number;
  /** Krippendorff's, over everybody and everything. */
  alpha: Result<Value>;
  /** Cohen's, for every two who have judged something in common. */
  pairs: { a: string; b: string; common: number; kappa: Result<Value> }[];
  /** Where they differ. */
  apart: (Subject & { verdicts: { by: string; verdict: string }[] })[];
}

const MOST_PAIRS = 50;
const MOST_APART = 200;

/** Null while fewer than two people have given verdicts. */
export function agreementOf(notes: readonly Note[]): Agreement | null {
  const things = new Map<string, { subject: Note; verdicts: Map<string, string> }>();
  const counts = new Map<string, number>();
  for (const note of notes) {
    if (note.verdict === null) continue;
    const thing = things.get(subjectKey(note)) ?? { subject: note, verdicts: new Map() };
    things.set(subjectKey(note), thing);
    thing.verdicts.set(note.by, note.verdict);
    counts.set(note.by, (counts.get(note.by) ?? 0) + 1);
  }
  if (counts.size < 2) return null;
  const raters = [...counts]
    .map(([name, verdicts]) => ({ name, verdicts }))
    .sort((a, b) => b.verdicts - a.verdicts || (a.name < b.name ? -1 : 1));
  const all = [...things.values()];
  const labels = all.map(({ verdicts }) => raters.map(({ name }): Label => verdicts.get(name) ?? null));
  const pairs = raters.flatMap((a, i) =>
    raters.slice(i + 1).flatMap((b, k) => {
      const [first, second] = [labels.map((row) => row[i]!), labels.map((row) => row[i + 1 + k]!)];
      const common = first.filter((label, row) => label !== null && second[row] !== null).length;
      return common === 0 ? [] : [{ a: a.name, b: b.name, common, kappa: cohenKappa(first, second) }];
    }),
  );
  return {
    raters,
    shared: all.filter(({ verdicts }) => verdicts.size > 1).length,
    alpha: krippendorffAlpha(labels),
    pairs: pairs.slice(0, MOST_PAIRS),
    apart: all
      .filter(({ verdicts }) => new Set(verdicts.values()).size > 1)
      .slice(0, MOST_APART)
      .map(({ subject: { run, file, turn, task }, verdicts }) => ({
        ...(run !== undefined && { run }),
        ...(file !== undefined && { file }),
        ...(turn !== undefined && { turn }),
        ...(task !== undefined && { task }),
        verdicts: [...verdicts].map(([by, verdict]) => ({ by, verdict })),
      })),
  };
}
