import { dirname, resolve } from "node:path";
import { isUnpaid } from "../../../core/executor.ts";
import { CASSETTE_FILE } from "../../../core/study-folder.ts";
import type { Place } from "../../../gateway/normalise.ts";
import type { Protocol } from "../../../gateway/protocols/protocol.ts";
import { openRunTraffic } from "../../../gateway/run-traffic.ts";
import { missingKey } from "../../../gateway/upstream.ts";
import { readPriceFile } from "../../../models/prices/price-file.ts";
import { PATIENCE } from "../../../models/retry.ts";
import type { Destination } from "../../../sandboxes/sandbox.ts";
import type { SeenPaths } from "../seen-paths.ts";
import type { AgentJob, AgentUsage, AgentWork, TrajectoryResult } from "./agent.ts";
import { providerVariables } from "./agent-environment.ts";
import { writeTranscript } from "./write-transcript.ts";

/** An agent's calls to its models, and what they tell of its work. */
export interface Traffic {
  url: string;
  /** All that a sandbox has to let through. */
  address: Destination;
  /** What the calls took; null where there was none. */
  usage(): Pick<AgentUsage, "tokensTotal" | "costUsd"> | null;
  /** Whether the run used up what it may take itself. */
  isSpent(): boolean;
  metrics(): Record<string, number | null>;
  /** Writes what the agent and its models said. */
  writeTranscript(
    dir: string,
    worked: Pick<AgentWork, "exit" | "failure"> & TrajectoryResult & { version?: string | undefined },
  ): void;
  /** Why the work is no result, by the calls; undefined where it is one. */
  failure(exit: string): AgentWork["failure"];
  close(): Promise<void>;
}

/** One line per call, among the run's logs. */
const CALLS_FILE = "model_calls.jsonl";
/** Where a replay differs from its recording. */
const DIFF_FILE = "replay.diff";

/**
 * Undefined where the agent has to call its provider itself, since it pays in a way that only it knows, such as a
 * subscription.
 */
export async function openTraffic(
  job: AgentJob,
  { name, vendor }: { name: string; vendor: Protocol["vendor"] | undefined },
  seen: SeenPaths,
): Promise<Traffic | undefined> {
  const env = providerVariables(job);
  const isFree = job.standIn !== undefined;
  if (vendor && !isFree && !isUnpaid(job.traffic) && missingKey(vendor, env)) return undefined;
  const { params, task, seed, repeat, runDir } = job;
  const inRun = (file: string) => (runDir === null ? null : `${runDir}/${file}`);
  const traffic = await openRunTraffic({
    ...{ env, signal: job.signal, isTraced: job.trace, places: placesOf(job, seen) },
    runId: job.runId ?? `${task.id}__${seed}__${repeat}`,
    whose: {
      ...{ agent: name, model: params.model, task: task.id, seed, repeat },
      ...(job.step && { step: job.step.name }),
    },
    ...(job.traffic && { traffic: job.traffic }),
    ...(job.standIn && { send: job.standIn, isFree }),
    files: {
      calls: `${job.places.logsDir}/${CALLS_FILE}`,
      trace: inRun("trace.jsonl"),
      cassette: inRun(CASSETTE_FILE),
      difference: `${job.places.logsDir}/${DIFF_FILE}`,
    },
    limits: { calls: params.max_calls, tokens: params.max_tokens, costUsd: params.max_cost_usd },
    retry: PATIENCE,
    ...(params.prices !== "" && { prices: await readPriceFile(resolve(job.baseDir, params.prices)) }),
    onSpent: (costUsd) => job.onSpent(costUsd, { atOnce: true }),
  });
  const { url, calls, transcript, redactor, usage, metrics, failure, close } = traffic;
  return {
    ...{ url, usage, metrics, failure, close },
    address: { host: "127.0.0.1", port: Number(new URL(url).port) },
    isSpent: () => calls.some(({ failure }) => failure?.isOwnLimit),
    writeTranscript(dir, worked) {
      const known = { agent: name, task: task.id, model: params.model };
      writeTranscript(dir, { ...worked, ...known, transcript, calls, redactor });
    },
  };
}

/** The deepest first: each is named by itself. */
function placesOf({ places: { repo, homeDir, outDir }, runDir }: AgentJob, seen: SeenPaths): Place[] {
  const named = { "<repo>": repo, "<home>": homeDir, "<out>": outDir };
  return [
    ...Object.entries(named).map(([name, path]) => ({ name, path: seen.inside(path) })),
    { name: "<work>", path: dirname(repo) },
    // Programs of a run find it in their environment.
    ...(runDir === null ? [] : [{ name: "<study>", path: resolve(runDir, "../../..") }]),
  ];
}
