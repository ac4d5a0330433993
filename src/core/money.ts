const PARTS_PER_USD = 1e10;
/** What adding binary fractions may be off by, as a share of the sum. */
const SLIP = 1e-12;

/** Adds amounts of money as people do: ten times $0.10 is $1, not a little less. */
export function addUsd(sumUsd: number, costUsd: number): number {
  const sum = sumUsd + costUsd;
  const round = Math.round(sum * PARTS_PER_USD) / PARTS_PER_USD;
  return Math.abs(round - sum) <= sum * SLIP ? round : sum;
}

/** What a launch may still spend: its own limit, or what earlier launches left of the study's total. */
interface Purse {
  limitUsd: number;
  /** What counts as spent when the launch begins. */
  spentUsd: number;
  whose: "the launch" | "the study";
}

/** The limit that ends a launch first; undefined where there is none. */
export function purseOf(
  { costUsd, totalCostUsd }: { costUsd?: number; totalCostUsd?: number },
  beforeUsd: number,
): Purse | undefined {
  const total: Purse | undefined =
    totalCostUsd === undefined
      ? undefined
      : { limitUsd: totalCostUsd, spentUsd: beforeUsd, whose: "the study" };
  if (costUsd === undefined) return total;
  if (total && total.limitUsd - beforeUsd < costUsd) return total;
  return { limitUsd: costUsd, spentUsd: 0, whose: "the launch" };
}
