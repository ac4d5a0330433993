import type { Batch } from "../../core/study.ts";
import type { Target, TargetContext } from "../../targets/target.ts";
import type { IterationLog } from "./iteration-log.ts";
import { Stopwatch } from "./stopwatch.ts";

/** A thousand times what reading the clock takes: it then adds a tenth of a percent. */
const ENOUGH_NS = 100_000;
const MOST_CALLS = 10_000_000;
/** So many batches in a row must be long enough: the first may have been compiled, or interrupted, meanwhile. */
const SURE = 3;

/** How many calls of the body stand between two readings of the clock. */
export async function countCalls(
  batch: Batch | undefined,
  {
    target,
    ctx,
    state,
    log,
  }: { target: Target; ctx: TargetContext; state: unknown; log: Pick<IterationLog, "spend"> },
): Promise<number> {
  if (batch !== "auto") return batch ?? 1;
  const watch = new Stopwatch();
  // These are warm-up too.
  ctx.iteration = -1;
  let calls = 1;
  for (let enough = 0; enough < SURE && calls < MOST_CALLS; ) {
    log.spend(await watch.timeBatch(target, ctx, state, calls), calls);
    const elapsedNs = Math.max(1, watch.elapsedNs * calls);
    enough = elapsedNs >= ENOUGH_NS ? enough + 1 : 0;
    if (enough === 0) calls = Math.ceil(calls * Math.min(10, Math.max(1.2, ENOUGH_NS / elapsedNs)));
  }
  return Math.min(calls, MOST_CALLS);
}
