import { appendFileSync } from "node:fs";
import { createRedactor } from "../../../core/redact.ts";
import { blame } from "../../../gateway/blame.ts";
import type { GatewayCall } from "../../../gateway/call.ts";
import { openGateway } from "../../../gateway/gateway.ts";
import type { Protocol } from "../../../gateway/protocols/protocol.ts";
import { Transcript } from "../../../gateway/transcript.ts";
import { missingKey } from "../../../gateway/upstream.ts";
import type { Destination } from "../../../sandboxes/sandbox.ts";
import type { AgentJob, AgentUsage, AgentWork, TrajectoryResult } from "./agent.ts";
import { providerVariables } from "./agent-environment.ts";
import { sumOrUnknown } from "./sum-or-unknown.ts";
import { writeTranscript } from "./write-transcript.ts";

/** An agent's calls to its models, and what they tell of its work. */
export interface Traffic {
  url: string;
  /** All that a sandbox has to let through. */
  address: Destination;
  /** What the calls took; null where there was none. */
  usage(): Pick<AgentUsage, "tokensTotal" | "costUsd"> | null;
  metrics(): Record<string, number | null>;
  /** Writes what the agent and its models said. */
  writeTranscript(dir: string, worked: Pick<AgentWork, "exit" | "failure"> & TrajectoryResult): void;
  /** Why the work is no result, by the calls; undefined where it is one. */
  failure(exit: string): AgentWork["failure"];
  close(): Promise<void>;
}

/** One line per call, among the run's logs. */
const CALLS_FILE = "model_calls.jsonl";

/**
 * Undefined where the agent has to call its provider itself: in containers, whose network does not reach us, and where
 * it pays in a way that only the agent knows, such as a subscription.
 */
export async function openTraffic(
  job: AgentJob,
  { name, vendor }: { name: string; vendor?: Protocol["vendor"] },
): Promise<Traffic | undefined> {
  const env = providerVariables(job);
  if (job.sandbox.name === "docker" || (vendor && missingKey(vendor, env))) return undefined;
  const path = `${job.places.logsDir}/${CALLS_FILE}`;
  const redactor = createRedactor(env);
  const transcript = new Transcript();
  let spentUsd = 0;
  const { url, calls, close } = await openGateway({
    env,
    signal: job.signal,
    onCall(call, { protocol, request, answer }) {
      appendFileSync(path, `${redactor.toJson(call)}\n`);
      if (call.failure === undefined) transcript.add(call, protocol.readPrompt(request), answer);
      spentUsd += call.costUsd ?? 0;
      job.onSpent(spentUsd);
    },
  });
  return {
    url,
    address: { host: "127.0.0.1", port: Number(new URL(url).port) },
    usage: () => (calls.length === 0 ? null : usageOf(calls)),
    metrics: () => metricsOf(calls),
    writeTranscript(dir, worked) {
      const { task, params } = job;
      const known = { agent: name, task: task.id, model: params.model };
      writeTranscript(dir, { ...worked, ...known, transcript, calls, redactor });
    },
    failure: (exit) => blame(calls, exit),
    close,
  };
}

function usageOf(calls: readonly GatewayCall[]): Pick<AgentUsage, "tokensTotal" | "costUsd"> {
  return {
    tokensTotal: sum(calls, ({ usage }) => (usage ? usage.input + usage.cached + usage.output : undefined)),
    costUsd: sum(calls, ({ costUsd }) => costUsd ?? undefined),
  };
}

function metricsOf(calls: readonly GatewayCall[]): Record<string, number | null> {
  return {
    model_calls: calls.length,
    failed_calls: calls.filter(({ failure }) => failure !== undefined).length,
    tokens_input: sum(calls, ({ usage }) => usage?.input),
    tokens_cached: sum(calls, ({ usage }) => usage?.cached),
    tokens_output: sum(calls, ({ usage }) => usage?.output),
  };
}

/** A refused call takes nothing; an answer that does not tell its tokens makes the sum unknown. */
function sum(calls: readonly GatewayCall[], read: (call: GatewayCall) => number | undefined): number | null {
  const answered = calls.filter(({ failure, usage }) => failure === undefined || usage !== null);
  return sumOrUnknown(
    answered.map((call) => [read(call)]),
    true,
  );
}
