import { errorText } from "../../core/errors.ts";
import { durationText } from "../../core/number-text.ts";
import type { Limits } from "../../core/study.ts";
import { startTimer } from "../../host/clock.ts";
import type { Target, TargetContext } from "../../targets/target.ts";

/** A teardown of a run without a time limit gets this long. */
const LONGEST_MS = 60_000;

interface TearingDown {
  ctx: TargetContext;
  state: unknown;
  limits: Limits;
  /** When the run started, by the monotonic clock. */
  startedAt: number;
}

/** Ends what `setup` began. What goes wrong is told, never thrown: the measurements are there already. */
export async function tearDown(
  target: Target,
  { ctx, state, limits, startedAt }: TearingDown,
): Promise<{ text: string; isHanging: boolean } | undefined> {
  if (!target.teardown) return undefined;
  let stop = () => {};
  try {
    const ending = target.teardown(ctx, state);
    if (!(ending instanceof Promise)) return undefined;
    const patienceMs = patience(limits, performance.now() - startedAt);
    const isDone = await Promise.race([
      ending.then(() => true),
      new Promise<false>((resolve) => {
        stop = startTimer(patienceMs, () => resolve(false));
      }),
    ]);
    if (isDone) return undefined;
    return { text: `teardown still running after ${durationText(patienceMs)}`, isHanging: true };
  } catch (error) {
    return { text: `teardown failed: ${errorText(error)}`, isHanging: false };
  } finally {
    stop();
  }
}

/** What is left of the run's time, and half of the grace after it: the thread is ended at the end of that. */
function patience({ timeoutMs, graceMs }: Limits, elapsedMs: number): number {
  return timeoutMs === 0 ? LONGEST_MS : Math.max(0, timeoutMs - elapsedMs) + graceMs / 2;
}
