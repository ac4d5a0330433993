import { describe, expect, it } from "vitest";
import type { SimInput } from "../../src/sched-sim/params.ts";
import { runSim } from "./run-sim.ts";

const RUNS = 16;
const CUSTOMERS = 12_000;
const MEAN_MS = 1000;

type Service = NonNullable<NonNullable<SimInput["service"]>["Plan"]>;

/** One tier without limits, failures or tails: what is left is a textbook queue. */
function queue(servers: number, load: number, service: Service, more: SimInput = {}): SimInput {
  return {
    shape: "single_call",
    workflows: CUSTOMERS,
    policy: "fifo_cheapest",
    heavy_tail_prob: 0,
    tiers: [{ provider: "llm_provider", tier_id: 0, rate_per_s: null, concurrency: servers }],
    arrivals: { kind: "poisson", rate_per_s: (load * servers * 1000) / MEAN_MS },
    service: { Plan: service },
    budget_usd: null,
    trace: false,
    ...more,
  };
}

/** Mean wait over independent runs, with the half width of its 99.9 % interval (t with 15 degrees of freedom). */
function meanWaitMs(params: SimInput): { mean: number; halfWidth: number } {
  const means = Array.from({ length: RUNS }, (_, i) => runSim(params, i + 1).tiers[0]!.queue_wait_mean_ms!);
  const mean = means.reduce((sum, wait) => sum + wait, 0) / RUNS;
  const variance = means.reduce((sum, wait) => sum + (wait - mean) ** 2, 0) / (RUNS - 1);
  return { mean, halfWidth: 4.073 * Math.sqrt(variance / RUNS) };
}

function expectWait(params: SimInput, theoryMs: number): void {
  const { mean, halfWidth } = meanWaitMs(params);
  expect(halfWidth / theoryMs, "the interval is narrow enough to say something").toBeLessThan(0.15);
  expect(Math.abs(mean - theoryMs), `${mean} ms against ${theoryMs} ms`).toBeLessThan(halfWidth);
}

function erlangC(servers: number, load: number): number {
  const offered = servers * load;
  let blocking = 1; // Erlang B, by its recursion
  for (let n = 1; n <= servers; n++) blocking = (offered * blocking) / (n + offered * blocking);
  return blocking / (1 - load * (1 - blocking));
}

/** Pollaczek and Khinchine; `second` is E[S^2] / E[S]^2. */
function pollaczekKhinchineMs(load: number, second: number): number {
  return (load * second * MEAN_MS) / (2 * (1 - load));
}

const exponential: Service = { dist: "exponential", mean_ms: MEAN_MS };

describe("reduced by parameters to a textbook queue, mean waits agree with theory", () => {
  it("M/M/1: load / (1 - load) services", () => {
    expectWait(queue(1, 0.7, exponential), (0.7 / 0.3) * MEAN_MS);
  });

  it.each([
    [2, 0.8],
    [4, 0.8],
    [8, 0.7],
  ])("M/M/%i at load %d: Erlang C", (servers, load) => {
    expectWait(
      queue(servers, load, exponential),
      (erlangC(servers, load) * MEAN_MS) / (servers * (1 - load)),
    );
  });

  it("M/D/1: half of M/M/1", () => {
    expectWait(queue(1, 0.7, { dist: "constant", ms: MEAN_MS }), pollaczekKhinchineMs(0.7, 1));
  });

  it("M/G/1 with gamma service: Pollaczek-Khinchine", () => {
    expectWait(
      queue(1, 0.7, { dist: "gamma", shape: 4, scale_ms: MEAN_MS / 4 }),
      pollaczekKhinchineMs(0.7, 1.25),
    );
  });

  it("M/G/1 with lognormal service: Pollaczek-Khinchine", () => {
    const sigma = 0.8;
    const service: Service = { dist: "lognormal", mu: Math.log(MEAN_MS) - sigma ** 2 / 2, sigma };
    expectWait(queue(1, 0.6, service), pollaczekKhinchineMs(0.6, Math.exp(sigma ** 2)));
  });

  it("M/G/1 with heavy tails: Pollaczek-Khinchine", () => {
    const prob = 0.05;
    const mult = 5;
    const stretch = 1 - prob + prob * mult;
    const second = (2 * (1 - prob + prob * mult ** 2)) / stretch ** 2;
    const service: Service = { dist: "exponential", mean_ms: MEAN_MS / stretch };
    const tails = { heavy_tail_prob: prob, heavy_tail_mult: mult };
    expectWait(queue(1, 0.6, service, tails), pollaczekKhinchineMs(0.6, second));
  });

  it("a tier of twice the speed halves the load", () => {
    const params = queue(1, 0.7, { dist: "exponential", mean_ms: 2 * MEAN_MS });
    params.tiers![0]!.speed = 2;
    expectWait(params, (0.7 / 0.3) * MEAN_MS);
  });
});
