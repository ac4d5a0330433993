import { defineStrategy } from "./strategy.ts";

/** Nothing is done about a long context. */
export const raw = defineStrategy({
  name: "raw",
  description: "the whole conversation, as it is",
  options: () => ({}),
  view: (messages) => ({ messages: [...messages], masked: 0 }),
});
