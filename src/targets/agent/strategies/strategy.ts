import type { Message } from "../../../core/message.ts";
import type { Params } from "../../../core/params.ts";

/** What of a conversation the model gets to see. Pure: the same messages give the same answer, and applying it to its own answer changes nothing. */
export interface Strategy<O = Params> {
  name: string;
  description: string;
  /** Checks the hyperparameters and fills in defaults; a UserError where they make no sense together. */
  options(given: Params): O;
  /** What is sent. A strategy that needs a summary first says of what; the caller asks the summariser and calls again. */
  view(messages: readonly Message[], options: O): View;
}

export interface View {
  messages: Message[];
  /** Observations that were replaced by a line. */
  masked: number;
  /** The turns that must become one checkpoint before the next call; undefined when none. */
  summarise?: { messages: Message[]; fromTurn: number; toTurn: number; previous: Message | undefined };
}

/** Declares a context strategy: `export default defineStrategy({...})`. */
export function defineStrategy<O>(strategy: Strategy<O>): Strategy<O> {
  return strategy;
}
