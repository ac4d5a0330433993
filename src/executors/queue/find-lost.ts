import type { FleetQueue } from "../../fleet/broker/broker.ts";
import type { OutstandingRuns } from "./outstanding.ts";

const YOUNG_MS = 4000;
const AT_A_TIME = 100;

interface Lost {
  chunk: string;
  /** Why workers set it aside; undefined where the queue does not know it. */
  refusal: string | undefined;
}

interface Places {
  chunks: FleetQueue;
  results: FleetQueue;
  outstanding: OutstandingRuns;
  /** Whether results are being worked on right now. */
  isBusy(): boolean;
}

/**
 * Chunks of ours that the queue no longer has, though no result of theirs came: a server without persistence was
 * restarted, or workers set them aside. A worker sends results before it ends a chunk, so one that is gone while no
 * result waits is lost.
 */
export async function findLost({ chunks, results, outstanding, isBusy }: Places): Promise<Lost[]> {
  const suspects: Lost[] = [];
  const old = outstanding.olderThan(YOUNG_MS);
  for (let i = 0; i < old.length; i += AT_A_TIME) {
    await Promise.all(
      old.slice(i, i + AT_A_TIME).map(async (chunk) => {
        const state = await chunks.getJobState(chunk);
        if (state === "unknown") suspects.push({ chunk, refusal: undefined });
        if (state === "failed") {
          const job = await chunks.getJob(chunk);
          suspects.push({ chunk, refusal: job?.failedReason ?? "no reason" });
        }
      }),
    );
  }
  if (suspects.length === 0) return [];
  const { wait = 0, prioritized = 0 } = await results.getJobCounts("wait", "prioritized");
  if (wait + prioritized > 0 || isBusy()) return [];
  return suspects.filter(({ chunk }) => outstanding.runsOf(chunk).length > 0);
}
