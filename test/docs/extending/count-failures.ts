import type { Sink } from "../../../src/core/sink.ts";

export function countFailures(onFailure: (count: number) => void): Sink {
  let count = 0;
  return {
    handle(event) {
      if (event.kind === "ended" && event.record.outcome.status === "failed") onFailure(++count);
    },
  };
}
