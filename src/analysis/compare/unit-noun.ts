import type { ArmSet } from "../../design/arm-set.ts";

/** What is counted: seeds, instances, tasks, pairs; runs where nothing pairs them. */
export function unitNoun(
  { keys, hasRollouts, noun, clusterBy }: Pick<ArmSet, "keys" | "hasRollouts" | "noun" | "clusterBy">,
  isPaired: boolean,
): string {
  if (noun !== undefined && clusterBy === undefined && (isPaired || hasRollouts || keys.length === 0))
    return noun;
  if (keys.length === 1 && (isPaired || hasRollouts)) return nounOf(keys[0]!);
  return isPaired ? "pair" : "run";
}

/** A column's name as a noun: instance_id counts instances. */
export function nounOf(name: string): string {
  return name.replace(/(_id|Id)$/, "");
}
