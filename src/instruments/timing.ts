import type { Instrument } from "./instrument.ts";

/**
 * How long the body took, by the monotonic clock. The loop that calls the body reads the clock itself, as the last
 * thing before it and the first after it, so this only says that the time is wanted.
 */
export const timing: Instrument = {
  name: "timing",
  description: "duration_ms: time of the body alone, monotonic",
  measures: "anything",
  start: () => () => ({}),
};
