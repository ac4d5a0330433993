import { UserError } from "../core/errors.ts";
import { valueAt } from "../core/nest-params.ts";
import { RandomStream } from "../core/random.ts";
import { tokensOf, type Usage } from "../core/trajectory.ts";
import { sleep } from "../host/clock.ts";
import { CallFailure, explainFailure } from "../models/call-failure.ts";
import type { Gate, Ticket } from "../models/gate/gate.ts";
import { findGate } from "../models/gate/index.ts";
import { ModelError } from "../models/model.ts";
import { type PriceTable, priceListed } from "../models/prices/price.ts";
import { type RetryRule, waitBeforeRetry } from "../models/retry.ts";
import { AnswerReader } from "./answer-reader.ts";
import type { GatewayCall } from "./call.ts";
import { answer, answerFailure, type Forwarding, forward, type Seen, type Send, turn } from "./forward.ts";
import { Answer, type Json, type Protocol, parseJson } from "./protocols/protocol.ts";
import { type LimitKeeper, RunLimitReached } from "./run-limits.ts";

/** What a call passes, and who hears of it. */
export interface Metered {
  gate?: Gate;
  send?: Send;
  prices?: PriceTable;
  retry?: RetryRule;
  signal: AbortSignal;
  keeper: LimitKeeper;
  /** Models whose last call got no answer. */
  failing: Set<string | null>;
  /** Told before a call begins what it may cost at most; what comes back is called when it has ended. */
  reserve?(worstUsd: number | null): () => void;
  note(call: GatewayCall, said: CallContent): void;
}

export interface CallContent {
  protocol: Protocol;
  request: Json;
  /** What came of it, which may be a part; put together when it is asked for. */
  readonly answer: Answer;
}

interface Metering {
  protocol: Protocol;
  pathname: string;
  serving: Metered;
}

/** What all tries at a call have in common. */
interface Asked extends Metering {
  request: Json;
  model: string | null;
  worstUsd: number | null;
  price(usage: Usage): Promise<number | null>;
  /** Aborts when nobody waits for an answer any more. */
  signal: AbortSignal;
}

/** Where a request does not say how long the answer may be. */
const MOST_OUTPUT = 32_000;
/** Fewer bytes of JSON than this make no token. */
const BYTES_A_TOKEN = 3;
/** Callers that failed together must not come back together. */
const spread = new RandomStream(process.pid, "retries of the gateway");
let spreads = 0;

/** A call that asks for an answer: let through when there is room and money, and written down with what it took. */
export async function meter(forwarding: Forwarding, metering: Metering): Promise<void> {
  const { protocol, pathname, serving } = metering;
  const { body, outgoing } = forwarding;
  await turn();
  const request = parseJson(body);
  const model = protocol.modelOf(pathname, request);
  const listing = { vendor: protocol.vendor, model, prices: serving.prices ?? {} };
  const price = (usage: Usage) => priceListed(listing, usage, Date.now());
  const worst = {
    ...{ input: Math.ceil(body.length / BYTES_A_TOKEN), cached: 0, reasoning: 0 },
    output: protocol.mostOutput(request) ?? MOST_OUTPUT,
  };
  const left = new AbortController();
  const { signal } = left;
  const leave = () => outgoing.writableFinished || left.abort(new Error("the caller hung up"));
  outgoing.once("close", leave);
  // `AbortSignal.any` would keep something of each call for as long as the gateway is open.
  serving.signal.addEventListener("abort", leave);
  if (serving.signal.aborted || outgoing.destroyed) leave();
  const asked: Asked = { ...metering, request, model, worstUsd: await price(worst), price, signal };
  try {
    for (let tries = 1; ; tries++) {
      const waitMs = await tryOnce(forwarding, asked, tries);
      if (waitMs === undefined) return;
      await sleep(waitMs, { signal });
    }
  } finally {
    serving.signal.removeEventListener("abort", leave);
  }
}

/** Gives after how long to try again; undefined where the call is over. */
async function tryOnce(forwarding: Forwarding, asked: Asked, tries: number): Promise<number | undefined> {
  const { outgoing } = forwarding;
  const { protocol, model, price, worstUsd, signal, serving } = asked;
  const { note, send = forward, keeper, failing, retry } = serving;
  const startedAtMs = Date.now();
  const startMs = performance.now();
  const call: GatewayCall = {
    ...{ startedAtMs, protocol: protocol.name, model, status: 0 },
    ...{ usage: null, costUsd: null, firstTokenMs: null, wallMs: 0 },
    ...(failing.has(model) && { isRetry: true }),
  };
  let reader: AnswerReader | undefined;
  const said: CallContent = {
    ...{ protocol, request: asked.request },
    get answer() {
      return reader?.answer ?? new Answer();
    },
  };
  const isKnown = send.knows?.(forwarding) ?? false;
  let tickets: Ticket[] = [];
  try {
    if (!isKnown) tickets = await admit(asked);
  } catch (error) {
    const refused = refusalOf(error, asked);
    if (refused === undefined) throw error;
    note({ ...call, ...refused, wallMs: performance.now() - startMs }, said);
    if (refused.status !== 0) answer(outgoing, refused.status, protocol.refusal(refused.failure.text));
    return undefined;
  }
  const release = isKnown ? undefined : serving.reserve?.(worstUsd);
  let held: HeldAnswer | undefined;
  let text = "";
  const seen = await send(forwarding, ({ status, headers }) => {
    call.status = status;
    const isGood = status < 300;
    if (isGood) for (const ticket of tickets) ticket.accept?.();
    if (String(headers["content-type"]).includes("text/event-stream")) call.isStreamed = true;
    const isLast = retry === undefined || tries >= retry.tries;
    held = !isLast && mayPass(status, retry) ? new HeldAnswer() : undefined;
    reader = new AnswerReader(protocol, isGood ? String(headers["content-type"] ?? "") : "", () => {
      call.firstTokenMs = performance.now() - startMs;
    });
    return {
      isHeld: held !== undefined,
      add(chunk) {
        if (!isGood && text.length < 4096) text += String(chunk);
        held?.add(chunk);
        reader!.add(chunk);
      },
    };
  });
  call.wallMs = performance.now() - startMs;
  await turn();
  // Of an answer that broke off, what came counts; one that is not streamed is read now.
  reader?.end();
  if (call.firstTokenMs !== null) call.firstTokenMs = Math.min(call.firstTokenMs, call.wallMs);
  call.usage = reader?.usage ?? null;
  const costUsd = call.usage && (await price(call.usage));
  call.costUsd = seen.isFree ? 0 : costUsd;
  if (seen.isFree) {
    call.isCached = true;
    call.saved = { wallMs: seen.tookMs ?? null, costUsd };
  }
  const failure = failureOf(call, { ...seen, text, told: reader?.error, isReadable: reader?.isReadable });
  if (failure) call.failure = { kind: failure.kind, text: failure.message };
  if (failure) failing.add(model);
  else failing.delete(model);
  release?.();
  if (!isKnown) keeper.note(call);
  settle(tickets, call, failure);
  note(call, said);
  const isOver = outgoing.headersSent || signal.aborted || retry === undefined || failure === undefined;
  const waitMs = isOver
    ? undefined
    : waitBeforeRetry(failure, tries, { rule: retry, random: spread, call: ++spreads });
  if (waitMs !== undefined) return waitMs;
  if (held && seen.broken === undefined) held.passOn(outgoing, call.status, seen.headers);
  else if (seen.broken !== undefined) answerFailure(outgoing, seen.broken);
  return undefined;
}

/** Room under the run's own limits first, then under those of the study. */
async function admit({ protocol, worstUsd, signal, serving }: Asked): Promise<Ticket[]> {
  const { keeper, gate = findGate() } = serving;
  signal.throwIfAborted();
  const own = await keeper.admit(worstUsd, signal);
  const tickets = own ? [own] : [];
  try {
    tickets.push(await gate.admit({ provider: protocol.vendor, worstUsd, signal }));
    return tickets;
  } catch (error) {
    for (const ticket of tickets) ticket.settle({ costUsd: 0, result: "failed" });
    throw error;
  }
}

/** Why a call was not let through; undefined where that is no matter of limits. */
function refusalOf(
  error: unknown,
  { signal, protocol }: Asked,
): (Pick<GatewayCall, "status"> & { failure: NonNullable<GatewayCall["failure"]> }) | undefined {
  // Whoever was still waiting can't be blamed for what did not come.
  if (signal.aborted)
    return {
      status: 0,
      failure: { kind: "rate-limit", text: "the caller hung up while the call waited for its turn" },
    };
  if (!(error instanceof ModelError || error instanceof UserError)) return undefined;
  const isOwnLimit = error instanceof RunLimitReached;
  return {
    status: protocol.refusalStatus,
    failure: { kind: "budget", text: error.message, ...(isOwnLimit && { isOwnLimit }) },
  };
}

function settle(tickets: readonly Ticket[], call: GatewayCall, failure: CallFailure | undefined): void {
  const isLimited = failure?.kind === "rate-limit";
  for (const ticket of tickets)
    ticket.settle({
      costUsd: call.costUsd ?? (failure && !failure.mayBeBilled ? 0 : null),
      result: failure === undefined ? "ok" : isLimited ? "limited" : "failed",
      ...(isLimited && { pauseMs: failure.retryAfterMs ?? 0 }),
      ...(call.usage && { tokens: tokensOf(call.usage) }),
    });
}

/** Whether a refusal is of the kind that another try may not meet. */
const mayPass = (status: number, { isToldOnly }: RetryRule) =>
  status === 429 || (!isToldOnly && (status === 408 || status === 409 || status >= 500));

/** A refusal that is passed on only if no other try is made. */
class HeldAnswer {
  readonly #chunks: Uint8Array[] = [];

  add(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
  }

  passOn(outgoing: Forwarding["outgoing"], status: number, headers: Record<string, string>): void {
    if (!outgoing.destroyed) outgoing.writeHead(status, headers).end(Buffer.concat(this.#chunks));
  }
}

interface Told extends Seen {
  /** The beginning of a refusal. */
  text: string;
  /** What the answer itself says went wrong. */
  told: string | undefined;
  isReadable: boolean | undefined;
}

/** Why a call is no answer, by its status first; undefined where it is one. */
function failureOf({ status }: GatewayCall, { broken, headers, text, told, isReadable }: Told) {
  const explain = (message: string, statusCode: number) =>
    explainFailure(
      Object.assign(new Error(message), { statusCode, responseHeaders: headers, responseBody: text }),
      Date.now(),
    );
  if (broken instanceof CallFailure) return broken;
  if (status === 0) return explainFailure(broken, Date.now());
  if (status >= 300) return explain(messageIn(text), status);
  if (broken !== undefined) return explainFailure(new Error("the answer broke off (socket)"), Date.now());
  if (!isReadable) return explain("the answer can't be read", 502);
  if (told === undefined) return undefined;
  return explain(told, /overloaded|rate_limit|server_error|api_error|internal/i.test(told) ? 503 : 400);
}

function messageIn(refusal: string): string {
  const message = valueAt(parseJson(refusal), "error", "message");
  return typeof message === "string" ? message : refusal.slice(0, 200);
}
