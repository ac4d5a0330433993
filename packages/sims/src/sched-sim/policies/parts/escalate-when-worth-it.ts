import type { NodeType } from "../../node-type.ts";
import type { Policy, TierOption } from "../policy.ts";

const REASONING: ReadonlySet<NodeType> = new Set(["Plan", "ExtractEvidence", "Aggregate", "DecideNext"]);

/** Whether a step may leave the cheapest tier or be hedged: the language model's are worth it. */
export function isReasoning(type: NodeType): boolean {
  return REASONING.has(type);
}

/** The tier with the earliest expected completion among those that save enough seconds for their price. */
export const escalateWhenWorthIt: Policy["route"] = (call, options, { escalationMinSPerCent }) => {
  if (!isReasoning(call.type)) return 0;
  const cheap = options[0]!;
  let chosen = 0;
  for (let i = 1; i < options.length; i++) {
    const option = options[i]!;
    const savedS = expectedCompletionS(cheap) - expectedCompletionS(option);
    const furtherCents = 100 * (option.priceUsd - cheap.priceUsd);
    const worthIt = savedS > 0 && savedS >= escalationMinSPerCent * furtherCents;
    if (worthIt && expectedCompletionS(option) < expectedCompletionS(options[chosen]!)) chosen = i;
  }
  return chosen;
};

function expectedCompletionS(option: TierOption): number {
  return option.expectedWaitS + option.serviceP50S;
}
