import { threadId } from "node:worker_threads";
import type { Clock } from "../core/clock.ts";
import { RandomStream } from "../core/random.ts";
import type { Redactor } from "../core/redact.ts";
import { tokensOf, type Usage } from "../core/trajectory.ts";
import { explainFailure } from "./call-failure.ts";
import type { Caller, CallResult } from "./caller.ts";
import type { Gate } from "./gate/gate.ts";
import { type Model, type ModelAnswer, ModelError, type ModelRequest } from "./model.ts";
import { type RetryRule, waitBeforeRetry } from "./retry.ts";
import { type CountText, countMessage, countPrompt } from "./tokens.ts";

export interface Meter {
  name: string;
  /** Calls under one name share a limit on how many are under way. */
  provider: string;
  contextTokens: number | null;
  caller: Caller;
  gate: Gate;
  /** What tokens cost now; null where unknown. */
  price(usage: Usage): Promise<number | null>;
  count: CountText;
  clock: Clock;
  rule: RetryRule;
  redactor: Redactor;
}

/** Where nothing else is said, so that the most that a call can cost is known before it starts. */
const MAX_OUTPUT_TOKENS = 4096;
/** Other models' tokenizers may count more than ours. */
const PROMPT_MARGIN = 1.25;

/** A model whose calls are paid, limited, tried again and counted. */
export function createMeteredModel(meter: Meter): Model {
  const { name, contextTokens, count, clock, gate, provider, rule } = meter;
  let calls = 0;
  return {
    name,
    contextTokens,
    countTokens: (messages, tools) => countPrompt(count, messages, tools),
    async complete(given) {
      const request = { ...given, maxOutputTokens: given.maxOutputTokens ?? MAX_OUTPUT_TOKENS };
      const random = new RandomStream(request.seed, `retry ${name} ${threadId}`);
      const call = calls++;
      const worstUsd = await meter.price(worstUsage(meter, request));
      // Whoever ends it then ends it for what its provider, or a limit, has kept from it.
      const waited = (how: string) =>
        new ModelError("rate-limit", meter.redactor.text(`${name}: it was ended while a call ${how}`));
      for (let tries = 1; ; tries++) {
        const ticket = await gate
          .admit({ provider, worstUsd, signal: request.signal })
          .catch((error: unknown) => {
            throw request.signal.aborted ? waited("waited for its turn") : error;
          });
        const startMs = clock.now();
        try {
          const result = await meter.caller(request);
          const wallMs = clock.now() - startMs;
          const answer = await priceAnswer(meter, request, result);
          ticket.settle({ costUsd: answer.costUsd, result: "ok", tokens: tokensOf(answer.usage) });
          return { ...answer, tries, wallMs };
        } catch (error) {
          if (request.signal.aborted) {
            ticket.settle({ costUsd: null, result: "failed" });
            throw request.signal.reason;
          }
          const failure = explainFailure(error, clock.wallTime());
          const isLimited = failure.kind === "rate-limit";
          const pauseMs = Math.min(failure.retryAfterMs ?? 0, rule.longestMs);
          ticket.settle({
            costUsd: failure.mayBeBilled ? null : 0,
            result: isLimited ? "limited" : "failed",
            ...(isLimited && { pauseMs }),
          });
          const waitMs = waitBeforeRetry(failure, tries, { rule, random, call });
          if (waitMs === undefined) {
            const after = tries > 1 ? ` (after ${tries} tries)` : "";
            throw new ModelError(failure.kind, meter.redactor.text(`${name}: ${failure.message}${after}`));
          }
          await clock.sleep(waitMs, request.signal);
          if (request.signal.aborted) throw waited(`paused after ${failure.message}`);
        }
      }
    },
  };
}

function worstUsage({ count }: Meter, { messages, tools, maxOutputTokens = 0 }: ModelRequest): Usage {
  const input = Math.ceil(countPrompt(count, messages, tools) * PROMPT_MARGIN);
  return { input, cached: 0, output: maxOutputTokens, reasoning: 0 };
}

async function priceAnswer(
  { count, price }: Meter,
  { messages, tools }: ModelRequest,
  { message, usage, finish }: CallResult,
): Promise<Omit<ModelAnswer, "tries" | "wallMs">> {
  const counted = usage ?? {
    input: countPrompt(count, messages, tools),
    cached: 0,
    output: countMessage(count, message),
    reasoning: 0,
  };
  const answer = { message, usage: counted, costUsd: await price(counted), finish };
  return usage ? answer : { ...answer, isEstimated: true };
}
