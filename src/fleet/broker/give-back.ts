import { sleep } from "../../host/clock.ts";
import type { FleetJob } from "./broker.ts";
import { persist } from "./persist.ts";

/** By so much clocks may differ before a time that one machine names is none for the others. */
const MOST_SKEW_MS = 2000;
/** For so long a message may be held back here, where it keeps others from a place. */
const LONGEST_HOLD_MS = 1000;

interface Pause {
  /** Others are first for so long. */
  delayMs?: number;
  /** By so much the server's clock is ahead of this machine's. */
  skewMs?: number;
}

/**
 * Puts a message back as it was, for others, now or after a while; it does not count as a death. Always throws what
 * tells the queue so. A delay ends by the clock of whoever looks for work: where this machine's is wrong, an hour may
 * pass for the others, so the message is held here for a moment instead.
 */
export async function giveBack(
  job: FleetJob,
  token: string,
  { delayMs = 0, skewMs = 0 }: Pause = {},
): Promise<never> {
  const { DelayedError, WaitingError } = await import("bullmq");
  if (delayMs > 0 && Math.abs(skewMs) <= MOST_SKEW_MS) {
    await persist(() => job.moveToDelayed(Date.now() + delayMs, token));
    throw new DelayedError();
  }
  if (delayMs > 0) await sleep(Math.min(delayMs, LONGEST_HOLD_MS));
  await persist(() => job.moveToWait(token));
  throw new WaitingError();
}

/** A message that nobody should take again; it stays among the failed ones, to be looked at. */
export async function setAside(reason: string): Promise<never> {
  const { UnrecoverableError } = await import("bullmq");
  throw new UnrecoverableError(reason);
}
