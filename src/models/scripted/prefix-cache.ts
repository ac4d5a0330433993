import type { Message } from "../../core/message.ts";
import type { ModelRequest } from "../model.ts";
import { type CountText, countPrompt } from "../tokens.ts";

const MOST_CONVERSATIONS = 200;

/**
 * What a provider's prompt cache would hold: the messages that a prompt has in common with the one before it in the same
 * conversation. A strategy that changes old messages pays for what follows them again, as it would there.
 */
export class PrefixCache {
  readonly #count: CountText;
  readonly #previous = new Map<string, readonly Message[]>();

  constructor(count: CountText) {
    this.#count = count;
  }

  /** How many of the prompt's tokens are cached; remembers the prompt for the next call. */
  take({ messages, tools, seed, purpose }: ModelRequest): number {
    const first = messages.find(({ role }) => role === "user")?.text ?? "";
    const key = `${purpose} ${seed} ${first}`;
    const previous = this.#previous.get(key);
    if (!previous && this.#previous.size >= MOST_CONVERSATIONS) this.#previous.clear();
    // A copy: callers add to their list.
    this.#previous.set(key, [...messages]);
    let same = 0;
    while (
      previous &&
      same < Math.min(messages.length, previous.length) &&
      isSame(messages[same]!, previous[same]!)
    )
      same++;
    return same === 0 ? 0 : countPrompt(this.#count, messages.slice(0, same), tools);
  }
}

function isSame(a: Message, b: Message): boolean {
  return a === b || (a.role === b.role && a.text === b.text && a.toolCallId === b.toolCallId);
}
