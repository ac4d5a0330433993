import type { Instrument } from "./instrument.ts";

/** How long the body took, by the monotonic clock. */
export const timing: Instrument = {
  name: "timing",
  description: "duration_ms: time of the body alone, monotonic",
  start() {
    const start = performance.now();
    return () => ({ duration_ms: performance.now() - start });
  },
};
