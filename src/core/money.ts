const PARTS_PER_USD = 1e10;
/** What adding binary fractions may be off by, as a share of the sum. */
const SLIP = 1e-12;

/** Adds amounts of money as people do: ten times $0.10 is $1, not a little less. */
export function addUsd(sumUsd: number, costUsd: number): number {
  const sum = sumUsd + costUsd;
  const round = Math.round(sum * PARTS_PER_USD) / PARTS_PER_USD;
  return Math.abs(round - sum) <= sum * SLIP ? round : sum;
}
