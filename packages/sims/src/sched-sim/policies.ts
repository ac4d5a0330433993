import { definePolicy, type Policy, type TierOption } from "./policy.ts";
import type { NodeType } from "./workflow-graph.ts";

/** First ready, first served. */
export const byAge: Policy["priority"] = (call) => -call.readyS;

/** The workflow with the least work left first (shortest remaining processing time; Schrage 1968). */
const byRemainingWork: Policy["priority"] = (call) => -call.remainingWorkS;

/**
 * The longest remaining path first, then the least slack, with age against starving. All waiting calls age
 * at the same pace, so -readyS orders them just as age would, and the key never has to be computed anew.
 */
const byCriticalPath: Policy["priority"] = (call, { weights }) =>
  weights.path * call.remainingPathS + weights.slack / (1 + call.slackS) - weights.age * call.readyS;

/** Always the lowest price. */
export const cheapest: Policy["route"] = () => 0;

const REASONING: ReadonlySet<NodeType> = new Set(["Plan", "ExtractEvidence", "Aggregate", "DecideNext"]);

/** Whether a step may leave the cheapest tier or be hedged: the language model's are worth it. */
function isReasoning(type: NodeType): boolean {
  return REASONING.has(type);
}

/** The tier with the earliest expected completion among those that save enough seconds for their price. */
const escalateWhenWorthIt: Policy["route"] = (call, options, { escalationMinSPerCent }) => {
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

/** A duplicate for a language-model call that has run far longer than its like usually do. */
const hedgePastP95: NonNullable<Policy["hedgeAfterS"]> = (call, running, { hedgeAfterP95 }) =>
  isReasoning(call.type) && running.serviceP95S !== null ? hedgeAfterP95 * running.serviceP95S : null;

const fifoCheapest = definePolicy({
  name: "fifo_cheapest",
  description: "Steps in the order in which they became ready, every call on the cheapest tier.",
  priority: byAge,
  route: cheapest,
});

const dagCheapest = definePolicy({
  name: "dag_cheapest",
  description: "The longest remaining critical path first, every call on the cheapest tier.",
  priority: byCriticalPath,
  route: cheapest,
});

const dagEscalation = definePolicy({
  name: "dag_escalation",
  description: "Critical path first; a dearer tier where it saves enough seconds for its price.",
  priority: byCriticalPath,
  route: escalateWhenWorthIt,
});

const full = definePolicy({
  name: "full",
  description: "Critical path first, escalation, and a duplicate for calls that run past 1.5 times p95.",
  priority: byCriticalPath,
  route: escalateWhenWorthIt,
  hedgeAfterS: hedgePastP95,
});

const srptCheapest = definePolicy({
  name: "srpt_cheapest",
  description: "The workflow with the least work left first, which favours the mean; the cheapest tier.",
  priority: byRemainingWork,
  route: cheapest,
});

const budgetPaced = definePolicy({
  name: "budget_paced",
  description:
    "Like full, but spends only what is left after the cheapest price for all that may still come.",
  priority: byCriticalPath,
  route: (call, options, settings) => {
    const wanted = escalateWhenWorthIt(call, options, settings);
    return options[wanted]!.priceUsd <= call.spareUsd ? wanted : 0;
  },
  hedgeAfterS: (call, running, settings) =>
    running.priceUsd <= call.spareUsd ? hedgePastP95(call, running, settings) : null,
});

const shipped = [fifoCheapest, dagCheapest, dagEscalation, full, srptCheapest, budgetPaced];

/** The policies that ship, by name. */
export const policies: ReadonlyMap<string, Policy> = new Map(shipped.map((policy) => [policy.name, policy]));

/** Whether a `policy` parameter names a file and not a policy. */
export function isPolicyPath(policy: string): boolean {
  return policy.startsWith(".") || policy.startsWith("/") || /\.[cm]?[jt]s$/.test(policy);
}
