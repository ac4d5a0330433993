import { UserError } from "assay/plugin";
import { FleetSimulation } from "./fleet.ts";
import type { FleetMetrics, FleetParams } from "./index.ts";
import { type StandingLoad, standingLoad } from "./upkeep.ts";

interface Flow {
  runsPerS: number;
  chunkRuns: number;
  messageRuns: number;
}

type PaperMetrics = Pick<
  FleetMetrics,
  | "runs_per_s"
  | "coordinator_standing"
  | "redis_standing"
  | "chunk_runs"
  | "message_runs"
  | "finish_h"
  | "network_mb_s"
  | "redis_connections"
  | "journal_gb"
  | "resume_gb"
  | "resume_min"
>;

/** Three hash tables of 16 bytes an entry, at most half full, as large as the next power of two. */
const TABLES_BYTES = 48;

/** What follows from unit costs and a flow by multiplication. */
function paperMetrics(params: FleetParams, load: StandingLoad, flow: Flow): PaperMetrics {
  const { workers, study_runs } = params;
  const { runsPerS, chunkRuns, messageRuns } = flow;
  const messagesPerS = runsPerS / chunkRuns + runsPerS / messageRuns;
  const upkeep = workers * (params.beat_bytes + params.record_bytes);
  return {
    runs_per_s: runsPerS,
    coordinator_standing: load.coordinator,
    redis_standing: load.redis,
    chunk_runs: chunkRuns,
    message_runs: messageRuns,
    finish_h: study_runs / runsPerS / 3600,
    network_mb_s: (messagesPerS * params.message_bytes + runsPerS * params.run_bytes + upkeep) / 1e6,
    redis_connections: workers * params.connections,
    journal_gb: (study_runs * params.journal_bytes) / 1e9,
    resume_gb: (TABLES_BYTES * 2 ** Math.ceil(Math.log2(2 * study_runs + 1))) / 1e9,
    resume_min: (study_runs * params.resume_us) / 6e7,
  };
}

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
