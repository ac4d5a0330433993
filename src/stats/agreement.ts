import { known, type Result, unknownBecause, type Value } from "./result.ts";

/** What somebody said of something; null where nobody did. */
export type Label = string | number | boolean | null;

/**
 * Cohen's kappa: how far two raters agree on what both have labelled, beyond what their own habits would give by chance.
 * 1 is full agreement, 0 is chance. Two raters and names without an order; for more raters, or labels that are
 * missing here and there, krippendorffAlpha. Where nearly everything has one label it is low in spite of much agreement.
 * Source: Cohen, "A coefficient of agreement for nominal scales", Educational and Psychological Measurement 20 (1960), 37-46.
 */
export function cohenKappa(first: readonly Label[], second: readonly Label[]): Result<Value> {
  const both = first.flatMap((label, i) => {
    const other = second[i] ?? null;
    return label === null || other === null ? [] : [[label, other] as const];
  });
  if (both.length < 2)
    return unknownBecause(`two raters have ${both.length} labels in common, and this needs 2`);
  const share = (label: Label, side: 0 | 1) =>
    both.filter((pair) => pair[side] === label).length / both.length;
  const agreed = both.filter(([a, b]) => a === b).length / both.length;
  const labels = new Set(both.flat());
  const byChance = [...labels].reduce<number>((sum, label) => sum + share(label, 0) * share(label, 1), 0);
  if (byChance === 1) return unknownBecause("both gave one and the same label throughout");
  return known({ value: (agreed - byChance) / (1 - byChance) });
}

/**
 * Krippendorff's alpha for names without an order: agreement of any number of raters, each of whom may have left out
 * some units. `units` has one list of labels for each thing that was labelled. A unit with one label says nothing.
 * Source: Krippendorff, "Computing Krippendorff's alpha-reliability" (2011); his example is among the tests.
 */
export function krippendorffAlpha(units: readonly (readonly Label[])[]): Result<Value> {
  const rated = units
    .map((labels) => labels.filter((label) => label !== null))
    .filter(({ length }) => length > 1);
  if (rated.length === 0) return unknownBecause("nothing has labels of two raters");
  const totals = new Map<Label, number>();
  let [count, disagreed] = [0, 0];
  for (const labels of rated) {
    const here = new Map<Label, number>();
    for (const label of labels) here.set(label, (here.get(label) ?? 0) + 1);
    for (const [label, times] of here) {
      totals.set(label, (totals.get(label) ?? 0) + times);
      disagreed += (times * (labels.length - times)) / (labels.length - 1);
    }
    count += labels.length;
  }
  const expected =
    [...totals.values()].reduce((sum, times) => sum + times * (count - times), 0) / (count - 1);
  if (expected === 0) return unknownBecause("all labels are the same");
  return known({ value: 1 - disagreed / expected });
}
