import type { FleetJob } from "./broker.ts";
import { persist } from "./persist.ts";

/**
 * Puts a message back as it was, for others, now or after a while; it does not count as a death. Always throws what
 * tells the queue so.
 */
export async function giveBack(job: FleetJob, token: string, delayMs = 0): Promise<never> {
  const { DelayedError, WaitingError } = await import("bullmq");
  if (delayMs > 0) {
    await persist(() => job.moveToDelayed(Date.now() + delayMs, token));
    throw new DelayedError();
  }
  await persist(() => job.moveToWait(token));
  throw new WaitingError();
}

/** A message that nobody should take again; it stays among the failed ones, to be looked at. */
export async function setAside(reason: string): Promise<never> {
  const { UnrecoverableError } = await import("bullmq");
  throw new UnrecoverableError(reason);
}
