import { appendFileSync, writeFileSync } from "node:fs";
import { isUnpaid, type TrafficOptions } from "../core/executor.ts";
import { createRedactor, type Redactor } from "../core/redact.ts";
import type { Owner } from "../core/run.ts";
import { tokensOf } from "../core/trajectory.ts";
import type { Gate } from "../models/gate/gate.ts";
import { startRunTrace } from "../models/trace.ts";
import { blame } from "./blame.ts";
import type { GatewayCall } from "./call.ts";
import { type CassetteHead, CassetteWriter, readCassette } from "./cassette.ts";
import { failWith, readFault } from "./faults.ts";
import { findCassette } from "./find-cassette.ts";
import { forward, type Send } from "./forward.ts";
import { type GatewayOptions, openGateway } from "./gateway.ts";
import type { Place } from "./normalise.ts";
import { recordTo, replayFrom } from "./replay.ts";
import { scriptedModel } from "./scripted.ts";
import { Transcript } from "./transcript.ts";

/** What a run's calls to its models come through, and where they are written down. */
export interface RunTrafficOptions
  extends Pick<GatewayOptions, "env" | "signal" | "gate" | "limits" | "prices" | "retry" | "key" | "port"> {
  runId: string;
  /** Whose calls they are. */
  whose: Omit<CassetteHead, "places">;
  /** Where folders of the run are, for recordings. */
  places: Place[];
  traffic?: TrafficOptions;
  /** Where answers come from; the provider itself unless told. */
  send?: Send;
  /** Nobody pays for the answers. */
  isFree?: boolean;
  isTraced: boolean;
  /** Null where it is not kept. */
  files: { calls: string | null; trace: string | null; cassette: string | null; difference: string | null };
  /** What calls have cost so far, with the most that those under way may cost: all of that if it is killed now. */
  onSpent?(costUsd: number): void;
}

/** A run's calls to its models, and what they tell of its work. */
export interface RunTraffic {
  url: string;
  calls: readonly GatewayCall[];
  transcript: Transcript;
  redactor: Redactor;
  metrics(): Record<string, number | null>;
  /** Null where there was no call; a part is null where it is unknown. */
  usage(): { tokensTotal: number | null; costUsd: number | null } | null;
  /** Why the work is no result, by the calls; undefined where it is one. */
  failure(exit: string): { owner: Owner; reason: string } | undefined;
  close(): Promise<void>;
}

/** Vendors as OpenTelemetry names them. */
const TRACED = { openai: "openai", anthropic: "anthropic", google: "gcp.gemini" };
/** What is replayed costs nothing. */
const FREE: Gate = { admit: async () => ({ settle: () => {} }) };

/** Opens a gateway for one run, which writes down what passes. */
export async function openRunTraffic(options: RunTrafficOptions): Promise<RunTraffic> {
  const { env, runId, whose, traffic, files, isTraced, onSpent, ...passed } = options;
  const isFree = options.isFree || isUnpaid(traffic);
  const redactor = createRedactor(env);
  const transcript = new Transcript();
  const trace = await startRunTrace({
    ...{ run: runId, agent: whose.agent, file: files.trace, isOff: !isTraced, env },
  });
  const source = sourceOf(options, redactor);
  let spentUsd = 0;
  let inFlightUsd = 0;
  const tellSpent = () => !isFree && onSpent?.(spentUsd + inFlightUsd);
  const gateway = await openGateway({
    ...passed,
    env,
    send: source.send,
    ...(isFree && { gate: FREE }),
    reserve(worstUsd) {
      inFlightUsd += worstUsd ?? 0;
      tellSpent();
      return () => {
        inFlightUsd -= worstUsd ?? 0;
      };
    },
    onCall(call, { protocol, request, answer }) {
      keepLine(files.calls, redactor.toJson(call));
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
  const { url, calls } = gateway;
  let closing: Promise<void> | undefined;
  const close = async () => {
    await gateway.close();
    source.end();
    await trace.end();
  };
  return {
    ...{ url, calls, transcript, redactor },
    metrics: () => metricsOf(calls),
    usage: () => (calls.length === 0 ? null : usageOf(calls)),
    failure: (exit) => source.failure() ?? blame(calls, exit),
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

/** A full disk shows in the journal, which stops the study; no call fails for it. */
function keepLine(path: string | null, line: string): void {
  try {
    if (path !== null) appendFileSync(path, `${line}\n`);
  } catch {}
}

/** Where answers come from, as the study wants it. */
interface Source {
  send: Send;
  /** Why a replay is none. */
  failure(): { owner: Owner; reason: string } | undefined;
  end(): void;
}

function sourceOf({ send, traffic = {}, runId, ...run }: RunTrafficOptions, redactor: Redactor): Source {
  const { whose, places, files } = run;
  if (traffic.replay !== undefined && !run.isFree) {
    let difference: string | undefined;
    const onDifference = (diff: string) => {
      if (difference === undefined && files.difference) writeFileSync(files.difference, `${diff}\n`);
      difference ??= diff.split("\n", 1)[0]!;
    };
    const cassette = readCassette(findCassette(traffic.replay, { ...whose, runId }));
    const reason = () => `${difference}: see ${files.difference?.split("/").slice(-2).join("/")}`;
    return {
      send: replayFrom(cassette, { places, onDifference }),
      failure: () => (difference === undefined ? undefined : { owner: "infrastructure", reason: reason() }),
      end() {},
    };
  }
  const asked = isUnpaid(traffic) && !run.isFree ? scriptedSend(traffic) : (send ?? forward);
  if (!traffic.record || files.cassette === null || run.isFree)
    return { send: asked, failure: () => undefined, end() {} };
  const writer = new CassetteWriter(files.cassette, { ...whose, places }, redactor);
  return { send: recordTo(writer, asked), failure: () => undefined, end: () => writer.end() };
}

function scriptedSend({ scripted = [], fault }: TrafficOptions): Send {
  const send = scriptedModel(scripted);
  return fault === undefined ? send : failWith(readFault(fault), send);
}

function usageOf(calls: readonly GatewayCall[]): { tokensTotal: number | null; costUsd: number | null } {
  return {
    tokensTotal: sum(calls, ({ usage }) => usage && tokensOf(usage)),
    costUsd: sum(calls, ({ costUsd }) => costUsd),
  };
}

/** Calls that a cache answered are told apart: nobody was asked, so they took no time and no tokens of anybody's. */
function metricsOf(calls: readonly GatewayCall[]): Record<string, number | null> {
  const asked = calls.filter(({ isCached }) => !isCached);
  return {
    model_calls: asked.length,
    failed_calls: asked.filter(({ failure }) => failure !== undefined).length,
    retried_calls: asked.filter(({ isRetry }) => isRetry).length,
    model_seconds: asked.reduce((seconds, { wallMs }) => seconds + wallMs / 1000, 0),
    first_token_seconds: meanFirstToken(asked),
    tokens_input: sum(asked, ({ usage }) => usage?.input),
    tokens_cached: sum(asked, ({ usage }) => usage?.cached),
    tokens_output: sum(asked, ({ usage }) => usage?.output),
    tokens_reasoning: sum(asked, ({ usage }) => usage?.reasoning),
  };
}

/** Null where no call was answered. */
function meanFirstToken(calls: readonly GatewayCall[]): number | null {
  const known = calls.flatMap(({ firstTokenMs }) => firstTokenMs ?? []);
  return known.length === 0 ? null : known.reduce((a, b) => a + b, 0) / known.length / 1000;
}

/** A refused call takes nothing; an answer that does not tell its tokens makes the sum unknown, and so does none. */
function sum(
  calls: readonly GatewayCall[],
  read: (call: GatewayCall) => number | null | undefined,
): number | null {
  const answered = calls.filter(({ failure, usage }) => failure === undefined || usage !== null);
  if (answered.length === 0) return null;
  let total = 0;
  for (const call of answered) {
    const number = read(call);
    if (number === null || number === undefined) return null;
    total += number;
  }
  return total;
}
