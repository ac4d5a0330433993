import type { FleetMetrics } from "./metrics.ts";
import type { FleetParams } from "./params.ts";
import type { StandingLoad } from "./standing-load.ts";

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
export function paperMetrics(params: FleetParams, load: StandingLoad, flow: Flow): PaperMetrics {
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
