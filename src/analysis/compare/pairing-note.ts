import { plural } from "../../core/number-text.ts";
import type { ArmSet } from "../../design/arm-set.ts";
import { listWords } from "./list-words.ts";
import type { PairingAnswer } from "./pair-up.ts";

/** Which pairs were found and what was left over; or why there are none. */
export function pairingNote(
  pairing: PairingAnswer,
  { set, noun, n, names }: { set: Pick<ArmSet, "keys">; noun: string; n: number; names: [string, string] },
): string {
  if (!pairing.possible) {
    return set.keys.length === 0
      ? "Not paired: nothing names what belongs together, so these are independent groups."
      : `Not paired: ${pairing.why}.`;
  }
  const by = set.keys.join(" and ");
  const left = (["baseline", "candidate"] as const)
    .map((arm, i) => ({ name: names[i]!, keys: pairing.left[arm] }))
    .filter(({ keys }) => keys.length > 0)
    .map(({ name, keys }) => `${keys.length} of ${name} (${listWords(keys)})`);
  const rest = left.length > 0 ? `left over without a partner: ${left.join(" and ")}` : "none left over";
  return `${plural(n, noun)} in both arms, paired by ${by}; ${rest}.`;
}
