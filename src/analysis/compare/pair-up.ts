import type { Arm, ArmSet } from "../../design/arm-set.ts";

/** What one arm has of one unit: its rollouts. */
export interface Unit {
  key: string;
  values: number[];
  cluster: string;
  block: string;
}

export interface Pairing {
  pairs: { key: string; cluster: string; block: string; baseline: number[]; candidate: number[] }[];
  /** Units that only one arm has, or has a value for. */
  left: { baseline: string[]; candidate: string[] };
}

export type PairingAnswer = ({ possible: true } & Pairing) | { possible: false; why: string };

/** Pairs two arms by their units, or says why that would be no pairing. */
export function pairUp(
  baseline: Arm,
  candidate: Arm,
  set: Pick<ArmSet, "keys" | "hasRollouts" | "unnamed">,
): PairingAnswer {
  if (set.keys.length === 0) return refuse("nothing names what belongs together");
  const [first, second] = [unitsOf(baseline), unitsOf(candidate)];
  if (!first || !second) return refuse(`some observations have no ${set.keys.join(", ")}`);
  if (!set.hasRollouts) {
    const twice = duplicate(baseline, first, set) ?? duplicate(candidate, second, set);
    if (twice) return refuse(twice);
  }
  const pairs: Pairing["pairs"] = [];
  const left: Pairing["left"] = { baseline: [], candidate: [] };
  // Arms mostly have the same units in the same order, and a look at the next one costs less than a look into the map.
  const others = second.values();
  let next = others.next().value;
  for (const [key, unit] of first) {
    const partner = next?.key === key ? next : second.get(key);
    if (partner === next) next = others.next().value;
    if (partner && partner.values.length > 0 && unit.values.length > 0)
      pairs.push({
        key,
        cluster: unit.cluster,
        block: unit.block,
        baseline: unit.values,
        candidate: partner.values,
      });
    else if (unit.values.length > 0) left.baseline.push(key);
  }
  const isComplete = pairs.length === second.size;
  for (const [key, unit] of isComplete ? [] : second) {
    if (unit.values.length > 0 && !((first.get(key)?.values.length ?? 0) > 0)) left.candidate.push(key);
  }
  if (pairs.length === 0) return refuse(noneInCommon(first, second, set));
  return { possible: true, pairs, left };
}

/** An arm takes part in many comparisons, with the same units in all. */
const known = new WeakMap<Arm, Map<string, Unit> | undefined>();

/** The units of an arm with their values; undefined where an observation names none. */
export function unitsOf(arm: Arm): Map<string, Unit> | undefined {
  if (!known.has(arm)) known.set(arm, gatherUnits(arm));
  return known.get(arm);
}

function gatherUnits({ observations }: Arm): Map<string, Unit> | undefined {
  const units = new Map<string, Unit>();
  for (const { unit: key, value, cluster, block = "" } of observations) {
    if (key === null) return undefined;
    const unit = units.get(key);
    // An array that grows from nothing takes room for seventeen: much, where tasks are many.
    if (!unit) units.set(key, { key, values: value === null ? [] : [value], cluster: cluster ?? key, block });
    else if (value !== null) unit.values.push(value);
  }
  return units;
}

function refuse(why: string): PairingAnswer {
  return { possible: false, why };
}

function duplicate(
  arm: Arm,
  units: Map<string, Unit>,
  set: Pick<ArmSet, "keys" | "hasRollouts" | "unnamed">,
): string | undefined {
  if (units.size === arm.observations.length) return undefined;
  const seen = new Set<string>();
  const twice = arm.observations.find(({ unit }) => seen.size === seen.add(unit!).size)!.unit!;
  const count = arm.observations.filter(({ unit }) => unit === twice).length;
  const differ = set.unnamed?.length ? `; they differ in ${set.unnamed.join(", ")}` : "";
  return `${arm.name} has ${count} observations with ${label(twice, set.keys)}${differ}, so it is not clear which belongs to which`;
}

function noneInCommon(
  first: Map<string, Unit>,
  second: Map<string, Unit>,
  set: Pick<ArmSet, "keys" | "hasRollouts" | "unnamed">,
): string {
  const some = (units: Map<string, Unit>) => [...units.keys()].slice(0, 3).join("; ");
  return `the arms have no ${set.keys.join(", ")} in common (${some(first)} ... against ${some(second)} ...)`;
}

/** `seed 3`; keys of several names carry them already. */
export function label(unit: string, keys: readonly string[]): string {
  return keys.length === 1 ? `${keys[0]} ${unit}` : unit;
}
