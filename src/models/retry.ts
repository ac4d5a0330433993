import type { RandomStream } from "../core/random.ts";
import type { CallFailure } from "./call-failure.ts";

export interface RetryRule {
  /** The first try included. */
  tries: number;
  /** Before the second try; doubles from there. */
  firstMs: number;
  /** The longest wait; who asks for a longer one gets no further try. */
  longestMs: number;
  /** Only a 429 that says for how long to wait is tried again. */
  isToldOnly?: boolean;
}

export const RETRY_RULE: RetryRule = { tries: 6, firstMs: 1000, longestMs: 120_000 };
/** For callers that try again themselves, though not all of them after a 429. */
export const PATIENCE: RetryRule = { ...RETRY_RULE, isToldOnly: true };

/**
 * How long to wait before the next try; undefined for none. Waits are drawn from the upper half of a doubling span, so
 * that callers who failed together do not come back together; a Retry-After is never undercut.
 */
export function waitBeforeRetry(
  failure: CallFailure,
  tried: number,
  { rule, random, call }: { rule: RetryRule; random: RandomStream; call: number },
): number | undefined {
  if (!failure.isTransient || tried >= rule.tries) return undefined;
  const u = random.uniform(call, tried);
  const asked = failure.retryAfterMs;
  if (rule.isToldOnly && (failure.kind !== "rate-limit" || asked === undefined)) return undefined;
  if (asked !== undefined) return asked > rule.longestMs ? undefined : asked * (1 + 0.1 * u);
  return Math.min(rule.longestMs, rule.firstMs * 2 ** (tried - 1)) * (0.5 + 0.5 * u);
}
