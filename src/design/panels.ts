import type { RunRecord } from "../core/run.ts";
import type { ArmIndex } from "./arms.ts";
import type { PlacedRun } from "./design.ts";
import { ABSENT, type Factor, factorNamed, levelOf, type Placement, type Shape } from "./factors.ts";

/** More panels than this are no picture. */
const MOST_FACETS = 8;
/** With fewer values a line over an axis says nothing. */
const LEAST_X = 3;

/** Of the shared settings the numeric one with the most values; where arms are numbers, these. */
export function chooseX(
  blocks: readonly string[],
  factors: readonly Factor[],
  { by }: ArmIndex,
  isWhole: boolean,
): string | null {
  const numeric = factors.filter(
    ({ name, isNumeric, levels }) =>
      isNumeric &&
      levels.filter((level) => level !== ABSENT).length >= LEAST_X &&
      (blocks.includes(name) || (!isWhole && by.length === 1 && by[0]!.name === name)),
  );
  const shared = numeric.filter(({ name }) => blocks.includes(name));
  const [first] = (shared.length > 0 ? shared : numeric).toSorted(
    (a, b) => b.levels.length - a.levels.length,
  );
  return first?.name ?? null;
}

/** Whether the place on the axis says which level a run has, as where two axes are zipped: then it makes no panels. */
export function followsFrom(x: string, name: string, runs: readonly Placement[]): boolean {
  const levels = new Map<string, string>();
  return runs.every((run) => {
    const [at, level] = [levelOf(run, x), levelOf(run, name)];
    const known = levels.get(at);
    levels.set(at, level);
    return known === undefined || known === level;
  });
}

/** As many of the other shared settings as give panels enough to look at. */
export function chooseFacets(
  names: readonly string[],
  runs: readonly RunRecord[],
  study: Shape | undefined,
): string[] {
  const chosen: Factor[] = [];
  for (const name of names) {
    const wider = [...chosen, factorNamed(name, study, runs)];
    if (new Set(runs.map((run) => facetText(run, wider))).size <= MOST_FACETS)
      chosen.splice(0, chosen.length, ...wider);
  }
  return chosen.map(({ name }) => name);
}

export function facetText(run: Placement, factors: readonly Factor[]): string {
  return factors.map(({ name, words }) => `${name}=${words.get(levelOf(run, name)) ?? "(none)"}`).join(", ");
}

export function facetsInOrder(runs: readonly PlacedRun[], factors: readonly Factor[]): string[] {
  return namesInOrder(runs, factors, ({ facet }) => facet);
}

/** The same of what is compared apart. */
export function partsInOrder(runs: readonly PlacedRun[], factor: Factor): string[] {
  return namesInOrder(runs, [factor], ({ part }) => part ?? "");
}

function namesInOrder(
  runs: readonly PlacedRun[],
  factors: readonly Factor[],
  nameOf: (run: PlacedRun) => string,
): string[] {
  const places = new Map<string, number[]>();
  for (const run of runs)
    if (!places.has(nameOf(run)))
      places.set(
        nameOf(run),
        factors.map(({ name, levels }) => levels.indexOf(levelOf(run.record, name))),
      );
  return [...places]
    .sort(([, a], [, b]) => {
      const at = a.findIndex((place, i) => place !== b[i]);
      return at < 0 ? 0 : a[at]! - b[at]!;
    })
    .map(([facet]) => facet);
}
