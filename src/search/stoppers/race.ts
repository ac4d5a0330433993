import * as z from "zod";
import { rounded } from "../../core/number-text.ts";
import type { Bet } from "../../stats/sequences/bet.ts";
import { MeanBet } from "../../stats/sequences/mean-bet.ts";
import { ShiftBet } from "../../stats/sequences/shift-bet.ts";
import { goOn, pairedLosses, type RunSeries, type Stopper } from "./stopper.ts";

const options = z.strictObject({
  alpha: z
    .number()
    .gt(0)
    .lt(1)
    .default(0.05)
    .describe("the chance that any run of the search is ended by one that isn't better"),
  range: z
    .tuple([z.number(), z.number()])
    .optional()
    .describe("the least and most that the metric can be: then means are compared, else signs and sizes"),
  field: z
    .int()
    .positive()
    .default(5)
    .describe(
      "how many points take turns, task by task or seed by seed; a further one starts when one has ended",
    ),
});
type Options = z.output<typeof options>;

/**
 * For runs that are means over tasks or seeds: ends one as soon as another is surely better on the pieces that both have
 * done. Each pair is a bet that may be looked at after every piece, and every ordered pair of the search has an equal part of
 * α, so the chance of even one false end stays below it, whichever rival is picked and however many runs there are. The
 * idea of racing candidates over instances: M. Birattari et al., GECCO 2002, 11-18 (F-Race); M. López-Ibáñez et al., Oper.
 * Res. Perspect. 3 (2016), 43-58 (irace). They test anew at every step; betting needs no correction for that.
 */
export const race: Stopper<Options> = {
  name: "race",
  description:
    "ends runs that another one surely beats, task by task or seed by seed, at most alpha falsely in the whole search",
  options,
  isByPiece: true,
  needsPoints: true,
  field: ({ field }) => field,
  judge({ run, others, goal, of }, { alpha, range }) {
    if (of === undefined) return goOn("nobody knows how many runs share the error");
    const share = alpha / Math.max(1, of * (of - 1));
    let best: { rival: RunSeries; pairs: number; bet: Bet } | undefined;
    for (const rival of others) {
      if (rival.state === "failed") continue;
      const played = betAgainst(leadsOf(pairedLosses(run, rival, goal)), { share, range });
      if (!best || played.bet.most > best.bet.most) best = { rival, ...played };
    }
    if (!best) return goOn("no other run has results");
    const { rival, pairs, bet } = best;
    const p = 1 / bet.most;
    return {
      stop: bet.isRefuted,
      why: `${pairs} pairs with ${rival.id}: p = ${rounded(p, 3)} at every look, of ${rounded(share, 3)} allowed`,
    };
  },
};

/** Stops where it is won: what came later changes neither the verdict nor what is said of it. */
function betAgainst(
  leads: readonly number[],
  { share, range }: { share: number; range: Options["range"] },
): { pairs: number; bet: Bet } {
  const bet = range ? new MeanBet({ alpha: share }) : new ShiftBet({ alpha: share });
  const width = range ? range[1] - range[0] : 1;
  // What is no number is worse by all of the range, or by the most that was seen until then.
  let most = range ? width : 0;
  let pairs = 0;
  for (const lead of leads) {
    if (bet.isRefuted) break;
    if (!range && Number.isFinite(lead)) most = Math.max(most, Math.abs(lead));
    const end = most || 1;
    bet.add(Math.max(-end, Math.min(end, lead)) / width);
    pairs++;
  }
  return { pairs, bet };
}

/** By how much the run's own loss exceeds the rival's on each piece; infinite where one is no number, none where both are. */
function leadsOf(pairs: readonly [number, number][]): number[] {
  return pairs.map(([own, theirs]) => own - theirs).filter((lead) => !Number.isNaN(lead));
}
