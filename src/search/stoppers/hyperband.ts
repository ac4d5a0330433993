import * as z from "zod";
import {
  bestSoFar,
  goOn,
  isWorse,
  lossesOf,
  positionsOf,
  type Race,
  type RunSeries,
  type Stopper,
  shown,
  type Verdict,
} from "./stopper.ts";

const options = z
  .strictObject({
    max_iter: z.int().min(1).optional().describe("values that a whole run reports; goes with s"),
    s: z.int().min(1).optional().describe("how many bands below max_iter"),
    min_iter: z.int().min(1).optional().describe("the first band, where max_iter and s are not given"),
    eta: z.number().gt(1).default(3).describe("one run in eta goes on from band to band"),
    strict: z.boolean().default(false).describe("compare the value at the band, not the best one so far"),
  })
  .check((ctx) => {
    const { max_iter: max, s, min_iter: min } = ctx.value;
    if (min === undefined && (max === undefined || s === undefined)) {
      ctx.issues.push({ code: "custom", message: "needs max_iter and s, or min_iter", input: ctx.value });
    } else if (max !== undefined && bandsOf(ctx.value).length === 0) {
      ctx.issues.push({ code: "custom", message: "max_iter / eta is below 1: there is no band", input: max });
    }
  });
type Options = z.output<typeof options>;

/**
 * Asynchronous successive halving at fixed bands: at a band, a run goes on if it is not worse than the best share
 * 1/eta of all runs that got there. The rule is that of the W&B sweep file.
 * Source: L. Li et al., "Hyperband", JMLR 18 (2018), 1-52.
 */
export const hyperband: Stopper<Options> = {
  name: "hyperband",
  description: "at each band, runs outside the best share 1/eta of those that got there end",
  options,
  judge: (race, given) => judgeAtBands(race, bandsOf(given), given),
};

const MOST_BANDS = 100;

/** The steps at which runs are compared, smallest first; `max_iter` with `s` goes before `min_iter`. */
export function bandsOf({ max_iter: max, s, min_iter: min = 1, eta }: Options): number[] {
  const bands: number[] = [];
  if (max !== undefined && s !== undefined) {
    for (let i = 0, band = max / eta; i < s && band >= 1; i++, band /= eta) bands.unshift(Math.floor(band));
  } else {
    for (let i = 0, band = min; i < MOST_BANDS && band < 2 ** 31; i++, band *= eta)
      bands.push(Math.floor(band));
  }
  return bands;
}

/** At the last band that the run has reached, by its steps: what each run had reported by then is compared. */
export function judgeAtBands(
  { run, others, goal }: Race,
  bands: readonly number[],
  { eta, strict }: { eta: number; strict: boolean },
): Verdict {
  const reached = positionsOf(run).at(-1) ?? 0;
  const band = bands.findLast((count) => count <= reached);
  if (band === undefined) return goOn(`no band reached after ${run.values.length} values`);
  const atBand = [run, ...others].flatMap((one) => lossAt(one, band, goal) ?? []);
  const own = strict ? atBand[0]! : bestSoFar(lossesOf(run, goal));
  const sorted = atBand.toSorted((a, b) => (a < b ? -1 : Number(a > b)));
  const threshold = sorted[Math.floor(sorted.length / eta)]!;
  const facts = `${strict ? "its value at" : "its best by"} band ${band} is ${shown(own, goal)}, the threshold of ${atBand.length} runs ${shown(threshold, goal)}`;
  return { stop: isWorse(own, threshold), why: facts };
}

/** The newest loss that a run had reported at a band; its first one where that came later. Undefined before the band. */
function lossAt(run: RunSeries, band: number, goal: Race["goal"]): number | undefined {
  const positions = positionsOf(run);
  if ((positions.at(-1) ?? 0) < band) return undefined;
  return lossesOf(run, goal)[
    Math.max(
      0,
      positions.findLastIndex((position) => position <= band),
    )
  ];
}
