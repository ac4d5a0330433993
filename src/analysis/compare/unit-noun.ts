import type { ArmSet } from "./observation.ts";

/** What is counted: seeds, instances, tasks, pairs; runs where nothing pairs them. */
export function unitNoun(
  { keys, hasRollouts }: Pick<ArmSet, "keys" | "hasRollouts">,
  isPaired: boolean,
): string {
  if (keys.length === 1 && (isPaired || hasRollouts)) return nounOf(keys[0]!);
  return isPaired ? "pair" : "run";
}

/** A column's name as a noun: instance_id counts instances. */
export function nounOf(name: string): string {
  return name.replace(/(_id|Id)$/, "");
}
