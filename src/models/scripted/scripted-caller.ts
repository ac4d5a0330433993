import type { Message } from "../../core/message.ts";
import type { Caller } from "../caller.ts";
import type { ModelRequest } from "../model.ts";
import { type CountText, countMessage, countPrompt } from "../tokens.ts";
import { readBelief } from "./belief.ts";
import { chooseAction } from "./choose-action.ts";
import { freshNotes } from "./fresh-notes.ts";
import { PrefixCache } from "./prefix-cache.ts";
import { isReview, review } from "./review.ts";
import { Slips } from "./slips.ts";
import { summarise } from "./summarise.ts";

/** Plays a coding agent from what is in the prompt and the seed alone; no key, no network, no state but its cache. */
export function createScriptedCaller(count: CountText): Caller {
  const cache = new PrefixCache(count);
  return async (request) => {
    request.signal.throwIfAborted();
    const { messages, tools, seed } = request;
    const promptTokens = countPrompt(count, messages, tools);
    const cached = cache.take(request);
    const message = answer(request, new Slips(seed, promptTokens));
    return {
      message,
      usage: { input: promptTokens - cached, cached, output: countMessage(count, message), reasoning: 0 },
      finish: message.toolCalls ? "tools" : "stop",
    };
  };
}

function answer({ messages, tools, purpose }: ModelRequest, slips: Slips): Message {
  const base = { role: "assistant" as const, kind: "action" as const, turn: 0 };
  if (isReview(messages)) return { ...base, text: review(messages, slips) };
  if (purpose === "summary" || tools.length === 0) return { ...base, text: summarise(messages, slips) };
  const belief = readBelief(messages);
  const { thought, call } = chooseAction(belief, slips, freshNotes(messages, belief));
  return { ...base, text: thought, toolCalls: [{ id: `call_${belief.lastId + 1}`, ...call }] };
}
