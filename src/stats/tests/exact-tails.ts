/** The probabilities of a sum at most and at least `observed`, from the counts of each sum. */
export function exactTails(counts: Float64Array, observed: number): { below: number; above: number } {
  let total = 0;
  let below = 0;
  let above = 0;
  for (let s = 0; s < counts.length; s++) {
    total += counts[s]!;
    if (s <= observed) below += counts[s]!;
    if (s >= observed) above += counts[s]!;
  }
  return { below: below / total, above: above / total };
}
