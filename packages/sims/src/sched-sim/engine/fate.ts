import { RandomStream } from "assay/plugin";
import { exp, ln } from "../../kernel/portable-math.ts";
import type { Service, SimParams } from "../params.ts";
import { NODE_TYPES } from "../workflow-graph.ts";
import type { Station } from "./station.ts";

/** Names one draw: what it is for stands in the stream's key, these are the counters. */
interface DrawKey {
  workflow: number;
  /** Counted through all iterations. */
  node: number;
  /** Twice the number of the try, plus one for a hedge. */
  attempt: number;
}

const pair = new Float64Array(2);

/** A service time in ms at speed 1, before slow ones and heavy tails. */
function sampleServiceMs(service: Service, stream: RandomStream, key: DrawKey, pages: number): number {
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

/** How an attempt ends if nobody cancels it. */
export const FINISHES = 0;
const ERRS = 1;
export const TIMES_OUT = 2;

const LEAST_PAGES = 10;
const MOST_PAGES = 200;
/** Thirty years: nothing that a distribution can come up with leaves the range of exact numbers by itself. */
const LONGEST_US = 1e15;

/**
 * Everything that chance decides, keyed by what it is about and never by when it is asked: every policy and
 * ablation under one seed meets the same service times, failures and tails.
 */
export class Fate {
  /** What `ofAttempt` found. */
  durationUs = 0;
  ending = FINISHES;

  readonly #params: SimParams;
  readonly #services: Service[];
  readonly #service: RandomStream;
  readonly #tail: RandomStream;
  readonly #failure: RandomStream;
  readonly #pages: RandomStream;
  readonly #evidence: RandomStream;
  readonly #difficulty: RandomStream;
  readonly #stop: RandomStream;
  readonly #arrival: RandomStream;
  readonly #pair = new Float64Array(2);

  constructor(params: SimParams, seed: number) {
    this.#params = params;
    this.#services = NODE_TYPES.map((type) => params.service[type]);
    const stream = (purpose: string) => new RandomStream(seed, `sched-sim ${purpose}`);
    this.#service = stream("service");
    this.#tail = stream("tail");
    this.#failure = stream("failure");
    this.#pages = stream("pages");
    this.#evidence = stream("evidence");
    this.#difficulty = stream("difficulty");
    this.#stop = stream("stop");
    this.#arrival = stream("arrival");
  }

  /** Sets `durationUs` and `ending`. Tails come before the timeout, so that a tail can hit it. */
  ofAttempt(key: DrawKey, type: number, pdf: number, station: Station): void {
    const pair = this.#pair;
    const service = this.#services[type]!;
    const pages =
      service.dist === "uniform" && service.per_page_ms > 0 ? this.#pagesOf(key.workflow, pdf) : 0;
    let ms = sampleServiceMs(service, this.#service, key, pages);
    this.#tail.uniformPair(pair, key.workflow, key.node, key.attempt);
    if (pair[0]! < this.#params.heavy_tail_prob) ms *= this.#params.heavy_tail_mult;
    if (pair[1]! < service.slow_prob) ms *= service.slow_mult;
    let us = wholeUs(ms / station.speed);
    let ending = FINISHES;
    if (station.failProb > 0) {
      this.#failure.uniformPair(pair, key.workflow, key.node, key.attempt);
      if (pair[0]! < station.failProb) {
        us = Math.max(1, Math.round(us * pair[1]!));
        ending = ERRS;
      }
    }
    if (us > station.timeoutUs) {
      us = station.timeoutUs;
      ending = TIMES_OUT;
    }
    this.durationUs = us;
    this.ending = ending;
  }

  #pagesOf(workflow: number, pdf: number): number {
    return LEAST_PAGES + Math.floor(this.#pages.uniform(workflow, pdf) * (MOST_PAGES - LEAST_PAGES + 1));
  }

  /** 0 to 3: how much evidence an ExtractEvidence of this workflow finds. */
  evidence(workflow: number, node: number, findProb: number): number {
    this.#evidence.uniformPair(this.#pair, workflow, node);
    return this.#pair[0]! < findProb ? 1 + Math.floor(3 * this.#pair[1]!) : 0;
  }

  /** How likely this workflow's documents are to hold evidence: some questions are harder than others. */
  findProb(workflow: number): number {
    const { evidence_prob, evidence_spread } = this.#params;
    const u = this.#difficulty.uniform(workflow);
    return Math.min(1, evidence_prob * (1 + evidence_spread * (2 * u - 1)));
  }

  stopsEarly(workflow: number, iteration: number): boolean {
    return this.#stop.uniform(workflow, iteration) < this.#params.stop.early_prob;
  }

  /** From the arrival before to the arrival of this workflow. */
  gapUs(workflow: number): number {
    const { arrivals } = this.#params;
    if (arrivals.kind === "all_at_once") return 0;
    if (arrivals.kind === "interval") return workflow === 0 ? 0 : wholeUs(arrivals.interval_ms);
    return wholeUs((-1000 / arrivals.rate_per_s) * ln(this.#arrival.uniform(workflow)));
  }
}

/** Time is counted in whole microseconds, so that sums are exact in any order. */
function wholeUs(ms: number): number {
  return Math.min(LONGEST_US, Math.max(1, Math.round(ms * 1000)));
}
