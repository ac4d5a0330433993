import { appendFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { isUnpaid, type TrafficOptions } from "../../../core/executor.ts";
import { createRedactor, type Redactor } from "../../../core/redact.ts";
import { CASSETTE_FILE } from "../../../core/study-folder.ts";
import { tokensOf } from "../../../core/trajectory.ts";
import { blame } from "../../../gateway/blame.ts";
import type { GatewayCall } from "../../../gateway/call.ts";
import { CassetteWriter, readCassette } from "../../../gateway/cassette.ts";
import { failWith, readFault } from "../../../gateway/faults.ts";
import { findCassette } from "../../../gateway/find-cassette.ts";
import { forward, type Send } from "../../../gateway/forward.ts";
import { type GatewayOptions, openGateway } from "../../../gateway/gateway.ts";
import type { Place } from "../../../gateway/normalise.ts";
import type { Protocol } from "../../../gateway/protocols/protocol.ts";
import { recordTo, replayFrom } from "../../../gateway/replay.ts";
import { scriptedModel } from "../../../gateway/scripted.ts";
import { Transcript } from "../../../gateway/transcript.ts";
import { missingKey } from "../../../gateway/upstream.ts";
import type { Gate } from "../../../models/gate/gate.ts";
import { readPriceFile } from "../../../models/prices/price-file.ts";
import { startRunTrace } from "../../../models/trace.ts";
import type { Destination } from "../../../sandboxes/sandbox.ts";
import type { SeenPaths } from "../seen-paths.ts";
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
  /** Whether the run used up what it may take itself. */
  isSpent(): boolean;
  metrics(): Record<string, number | null>;
  /** Writes what the agent and its models said. */
  writeTranscript(dir: string, worked: Pick<AgentWork, "exit" | "failure"> & TrajectoryResult): void;
  /** Why the work is no result, by the calls; undefined where it is one. */
  failure(exit: string): AgentWork["failure"];
  close(): Promise<void>;
}

/** One line per call, among the run's logs. */
const CALLS_FILE = "model_calls.jsonl";
/** Where a replay differs from its recording. */
const DIFF_FILE = "replay.diff";
/** Vendors as OpenTelemetry names them. */
const TRACED = { openai: "openai", anthropic: "anthropic", google: "gcp.gemini" };
/** What is replayed costs nothing. */
const FREE: Gate = { admit: async () => ({ settle: () => {} }) };

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
  const isFree = job.standIn !== undefined || isUnpaid(job.traffic);
  if (vendor && !isFree && missingKey(vendor, env)) return undefined;
  const { params } = job;
  const path = `${job.places.logsDir}/${CALLS_FILE}`;
  const redactor = createRedactor(env);
  const transcript = new Transcript();
  const trace = await startRunTrace({
    run: job.runId || `${job.task.id}__${job.seed}__${job.repeat}`,
    agent: name,
    file: job.runDir === null ? null : `${job.runDir}/trace.jsonl`,
    isOff: !job.trace,
    env,
  });
  const source = sourceOf(job, { name, seen, redactor });
  let spentUsd = 0;
  let inFlightUsd = 0;
  // Killed within a call, the run may be billed for all that it could cost.
  const tellSpent = () => !isFree && job.onSpent(spentUsd + inFlightUsd, { atOnce: true });
  const { url, calls, close } = await openGateway({
    env,
    signal: job.signal,
    ...source.behind,
    limits: { calls: params.max_calls, tokens: params.max_tokens, costUsd: params.max_cost_usd },
    ...(params.prices !== "" && { prices: await readPriceFile(resolve(job.baseDir, params.prices)) }),
    reserve(worstUsd) {
      inFlightUsd += worstUsd ?? 0;
      tellSpent();
      return () => {
        inFlightUsd -= worstUsd ?? 0;
      };
    },
    onCall(call, { protocol, request, answer }) {
      appendFileSync(path, `${redactor.toJson(call)}\n`);
      if (call.failure === undefined) transcript.add(call, protocol.readPrompt(request), answer);
      trace.noteCall({
        ...call,
        provider: TRACED[protocol.vendor],
        content: () => ({
          input: protocol.readPrompt(request).messages,
          output: { thought: answer.text("thought"), text: answer.text("text"), toolCalls: answer.calls },
        }),
      });
      spentUsd += call.costUsd ?? 0;
      tellSpent();
    },
  });
  return {
    url,
    address: { host: "127.0.0.1", port: Number(new URL(url).port) },
    usage: () => (calls.length === 0 ? null : usageOf(calls)),
    isSpent: () => calls.some(({ failure }) => failure?.isOwnLimit),
    metrics: () => metricsOf(calls),
    writeTranscript(dir, worked) {
      const known = { agent: name, task: job.task.id, model: params.model };
      writeTranscript(dir, { ...worked, ...known, transcript, calls, redactor });
    },
    failure: (exit) => source.failure() ?? blame(calls, exit),
    async close() {
      await close();
      source.end();
      await trace.end();
    },
  };
}

/** Where answers come from, as the study wants it. */
interface Source {
  behind: Pick<GatewayOptions, "send" | "gate">;
  /** Why a replay is none. */
  failure(): AgentWork["failure"];
  end(): void;
}

function sourceOf(
  job: AgentJob,
  { name, seen, redactor }: { name: string; seen: SeenPaths; redactor: Redactor },
): Source {
  if (job.standIn) return { behind: { send: job.standIn, gate: FREE }, failure: () => undefined, end() {} };
  const { traffic = {}, task, params, seed, repeat, runId = "", runDir } = job;
  const whose = { agent: name, model: params.model, task: task.id, seed, repeat };
  const places = placesOf(job, seen);
  if (traffic.replay !== undefined) {
    let difference: string | undefined;
    const onDifference = (diff: string) => {
      if (difference === undefined) writeFileSync(`${job.places.logsDir}/${DIFF_FILE}`, `${diff}\n`);
      difference ??= diff.split("\n", 1)[0]!;
    };
    const cassette = readCassette(findCassette(traffic.replay, { ...whose, runId }));
    const reason = () => `${difference}: see logs/${DIFF_FILE}`;
    return {
      behind: { send: replayFrom(cassette, { places, onDifference }), gate: FREE },
      failure: () => (difference === undefined ? undefined : { owner: "infrastructure", reason: reason() }),
      end() {},
    };
  }
  const unpaid = isUnpaid(traffic) && { send: scriptedSend(traffic), gate: FREE };
  if (!traffic.record || runDir === null) return { behind: unpaid || {}, failure: () => undefined, end() {} };
  const writer = new CassetteWriter(`${runDir}/${CASSETTE_FILE}`, { ...whose, places }, redactor);
  return {
    behind: unpaid ? { ...unpaid, send: recordTo(writer, unpaid.send) } : { send: recordTo(writer, forward) },
    failure: () => undefined,
    end: () => writer.end(),
  };
}

function scriptedSend({ scripted = [], fault }: TrafficOptions): Send {
  const send = scriptedModel(scripted);
  return fault === undefined ? send : failWith(readFault(fault), send);
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

function usageOf(calls: readonly GatewayCall[]): Pick<AgentUsage, "tokensTotal" | "costUsd"> {
  return {
    tokensTotal: sum(calls, ({ usage }) => (usage ? tokensOf(usage) : undefined)),
    costUsd: sum(calls, ({ costUsd }) => costUsd ?? undefined),
  };
}

function metricsOf(calls: readonly GatewayCall[]): Record<string, number | null> {
  return {
    model_calls: calls.length,
    failed_calls: calls.filter(({ failure }) => failure !== undefined).length,
    retried_calls: calls.filter(({ isRetry }) => isRetry).length,
    model_seconds: calls.reduce((seconds, { wallMs }) => seconds + wallMs / 1000, 0),
    first_token_seconds: meanFirstToken(calls),
    tokens_input: sum(calls, ({ usage }) => usage?.input),
    tokens_cached: sum(calls, ({ usage }) => usage?.cached),
    tokens_output: sum(calls, ({ usage }) => usage?.output),
    tokens_reasoning: sum(calls, ({ usage }) => usage?.reasoning),
  };
}

/** Null where no call was answered. */
function meanFirstToken(calls: readonly GatewayCall[]): number | null {
  const known = calls.flatMap(({ firstTokenMs }) => firstTokenMs ?? []);
  return known.length === 0 ? null : known.reduce((a, b) => a + b, 0) / known.length / 1000;
}

/** A refused call takes nothing; an answer that does not tell its tokens makes the sum unknown. */
function sum(calls: readonly GatewayCall[], read: (call: GatewayCall) => number | undefined): number | null {
  const answered = calls.filter(({ failure, usage }) => failure === undefined || usage !== null);
  return sumOrUnknown(
    answered.map((call) => [read(call)]),
    true,
  );
}
