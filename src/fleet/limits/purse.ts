import type { Setting } from "../../core/executor.ts";
import type { Limits } from "../../core/study.ts";
import { STUDY_FILES } from "../../core/study-folder.ts";
import { CallTally } from "../../models/gate/call-tally.ts";
import type { Store } from "../broker/store.ts";
import { KEYS } from "../protocol.ts";

/** What calls of a study have taken so far, wherever its runs are. */
export interface Used {
  usd: number;
  calls: number;
  tokens: number;
}

/** What all of them may take; 0 means no limit. */
export type PurseLimits = Used;

/**
 * One step at the money and the counts of a study, which the queue's server keeps for all workers. A call that is
 * reserved for somebody who falls silent counts as the worst. The same again changes nothing.
 */
export type PurseOrder =
  | { kind: "reserve"; holder: string; worstUsd: number; lifeMs: number; limits: PurseLimits }
  | { kind: "renew"; holder: string; lifeMs: number }
  | { kind: "settle"; holder: string; costUsd: number | null; tokens: number }
  /** What is known of earlier launches. */
  | { kind: "raise"; used: Used };

export interface PurseAnswer {
  /** `later`: only calls under way stand against it. The others name the limit that is reached. */
  verdict: "now" | "later" | "usd" | "calls" | "tokens";
  used: Used;
}

/** As the servers' programs take it: kind, holder, three numbers of the order's own, the limits. */
export function plainOrder(order: PurseOrder): string[] {
  const words = (...values: (string | number)[]) => values.map(String);
  const none = [0, 0, 0] as const;
  if (order.kind === "reserve") {
    const { usd, calls, tokens } = order.limits;
    return words("reserve", order.holder, order.worstUsd, order.lifeMs, 0, usd, calls, tokens);
  }
  if (order.kind === "renew") return words("renew", order.holder, 0, order.lifeMs, 0, ...none);
  if (order.kind === "settle")
    // A negative cost is an unknown one.
    return words("settle", order.holder, order.costUsd ?? -1, 0, order.tokens, ...none);
  const { usd, calls, tokens } = order.used;
  return words("raise", "", usd, calls, tokens, ...none);
}

export function isLimited({ costUsd, calls, tokens, callsPerMinute, callsAtOnce }: Limits): boolean {
  return [costUsd, calls, tokens, callsPerMinute, callsAtOnce].some((limit) => limit !== undefined);
}

/** The purse as the coordinator sees it: it starts with what earlier launches took, and leaves the counts in the folder. */
export interface StudyPurse {
  close(): Promise<void>;
}

/** Undefined where the study sets its calls no limit. */
export async function openPurse(
  store: Store,
  study: string,
  { limits, studyDir, spentUsd = 0 }: Setting,
): Promise<StudyPurse | undefined> {
  if (!isLimited(limits)) return undefined;
  const key = KEYS.purse(study);
  const tally = new CallTally(`${studyDir}/${STUDY_FILES.modelCalls}`);
  await store.purse(key, { kind: "raise", used: { usd: spentUsd, ...tally.read() } });
  return {
    async close() {
      const { used } = await store.purse(key, { kind: "raise", used: { usd: 0, calls: 0, tokens: 0 } });
      const known = { ...tally.read() };
      for (const name of ["calls", "tokens"] as const)
        if (used[name] > known[name]) tally.note({ [name]: used[name] - known[name] });
    },
  };
}
