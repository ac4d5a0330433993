import type { RandomStream } from "assay/plugin";
import { exp, ln } from "../kernel/portable-math.ts";
import type { Service } from "../params/service.ts";

/** Names one draw: what it is for stands in the stream's key, these are the counters. */
export interface DrawKey {
  workflow: number;
  /** Counted through all iterations. */
  node: number;
  /** Twice the number of the try, plus one for a hedge. */
  attempt: number;
}

const pair = new Float64Array(2);

/** A service time in ms at speed 1, before slow ones and heavy tails. */
export function sampleServiceMs(service: Service, stream: RandomStream, key: DrawKey, pages: number): number {
  const { workflow, node, attempt } = key;
  switch (service.dist) {
    case "constant":
      return service.ms;
    case "uniform": {
      const u = stream.uniform(workflow, node, attempt);
      return service.low_ms + (service.high_ms - service.low_ms) * u + service.per_page_ms * pages;
    }
    case "exponential":
      return -service.mean_ms * ln(stream.uniform(workflow, node, attempt));
    case "gamma": {
      let sum = 0;
      for (let draw = 0; draw < service.shape; draw++)
        sum -= ln(stream.uniform(workflow, node, attempt, draw));
      return service.scale_ms * sum;
    }
    case "lognormal":
      return exp(service.mu + 0.001 * service.tokens + service.sigma * sampleNormal(stream, key));
  }
}

/** Marsaglia's polar method: needs no sine or cosine, whose last bits differ between engines. */
function sampleNormal(stream: RandomStream, { workflow, node, attempt }: DrawKey): number {
  for (let draw = 0; ; draw++) {
    stream.uniformPair(pair, workflow, node, attempt, draw);
    const x = 2 * pair[0]! - 1;
    const y = 2 * pair[1]! - 1;
    const square = x * x + y * y;
    if (square < 1) return x * Math.sqrt((-2 * ln(square)) / square);
  }
}
