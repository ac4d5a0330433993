import { UserError } from "assay/plugin";
import { FleetSimulation } from "./fleet.ts";
import type { FleetMetrics } from "./metrics.ts";
import { paperMetrics } from "./paper.ts";
import type { FleetParams } from "./params.ts";
import { standingLoad } from "./standing-load.ts";

/** Enough rounds of the fleet to see a steady state, and not so many that the largest fleet takes minutes. */
const ROUNDS = 8;
const [FEWEST, MOST] = [400, 300_000];
/** The full swing: later, nothing is left to send out, and the coordinator has half of its work. */
const [FROM, TO] = [0.3, 0.7];
const EVENTS_BETWEEN_LOOKS = 50_000;

/** What a fleet does; `pause` is called now and then, and may end it by throwing. */
export async function simulateFleet(
  params: FleetParams,
  seed: number,
  pause: () => Promise<void> = async () => {},
): Promise<FleetMetrics> {
  if (!Number.isSafeInteger(seed) || seed < 0)
    throw new UserError("seed of target fleet-sim", { expected: "a whole number from 0", got: String(seed) });
  const load = standingLoad(params);
  const slots = params.workers * params.jobs;
  const total = params.runs ?? enoughRuns(params);
  const [from, to] = [FROM, TO].map((share) =>
    wholeRounds(total * share, Math.min(slots, params.window, total / ROUNDS)),
  );
  const fleet = new FleetSimulation(params, { seed, total });
  let depthSum = 0;
  let looks = 0;
  const until = async (recorded: number) => {
    while (!fleet.advance({ recorded, most: EVENTS_BETWEEN_LOOKS })) await pause();
  };
  await until(from!);
  const before = stateOf(fleet);
  const step = Math.max(1, Math.floor((to! - from!) / 100));
  for (let recorded = from! + step; recorded < to!; recorded += step) {
    await until(recorded);
    depthSum += fleet.queued;
    looks++;
  }
  await until(to!);
  const after = stateOf(fleet);
  const spanUs = after.nowUs - before.nowUs;
  const [coordinator, redis] = [0, 1].map((i) =>
    Math.min(1, (after.busyUs[i]! - before.busyUs[i]!) / spanUs),
  );
  const runsPerS = ((after.recorded - before.recorded) * 1e6) / spanUs;
  const [, server] = fleet.world.servers;
  return {
    ...paperMetrics(params, load, {
      runsPerS,
      chunkRuns: fleet.published / fleet.chunks,
      messageRuns: fleet.returned / fleet.messages,
    }),
    efficiency: (runsPerS * params.run_ms) / 1000 / slots,
    worker_utilization: Math.min(1, (after.threadUs - before.threadUs) / spanUs / slots),
    coordinator_utilization: coordinator!,
    redis_utilization: redis!,
    redis_wait_ms: server.waitSumUs / Math.max(1, server.done) / 1000,
    queue_depth: looks === 0 ? null : depthSum / looks,
    wasted_share: fleet.threadUs === 0 ? 0 : fleet.wastedUs / fleet.threadUs,
    redelivered: fleet.redelivered,
    deaths: fleet.deaths,
    beat_s: fleet.upkeep.beats === 0 ? null : fleet.upkeep.beatSpanUs / fleet.upkeep.beats / 1e6,
  };
}

/** What is seen before all that may be under way has gone round some times is no steady state. */
function enoughRuns({ workers, jobs, window, ahead, chunk_ms, run_ms }: FleetParams): number {
  const underWay = run_ms < chunk_ms ? (workers * jobs * 2 * ahead * chunk_ms) / run_ms : workers * jobs;
  return Math.round(Math.min(MOST, Math.max(FEWEST, ROUNDS * Math.min(window, underWay))));
}

/** Runs of equal length end in waves, a wave a round: half a wave more or less would be seen as speed. */
function wholeRounds(runs: number, round: number): number {
  return Math.floor(Math.floor(runs / round) * round);
}

function stateOf({ recorded, threadUs, world }: FleetSimulation) {
  return { recorded, threadUs, nowUs: world.nowUs, busyUs: world.servers.map(({ busyUs }) => busyUs) };
}
