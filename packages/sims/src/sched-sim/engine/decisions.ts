import { RollingQuantiles } from "../../kernel/statistics.ts";
import type { SimParams } from "../params.ts";
import type { Call, Policy, PolicySettings, TierOption } from "../policy.ts";
import { NODE_TYPES, RESOURCE_OF, type WorkflowGraph } from "../workflow-graph.ts";
import type { Station } from "./station.ts";
import type { WorkflowTable } from "./workflow-table.ts";

/** Below this, a p95 would be little more than the largest sample. */
const LEAST_FOR_P95 = 20;

/**
 * What a scheduler can know: quantiles of what it has seen lately, in microseconds. Of single stations it
 * needs them only where there is something to choose or to hedge, so not of the machine's own workers.
 */
export class Estimates {
  readonly #coldUs: number;
  readonly #byType: RollingQuantiles[];
  readonly #services: RollingQuantiles[][];
  /** By type too: under priorities, a Plan and an ExtractEvidence wait for very different times. */
  readonly #waits: RollingQuantiles[][];
  /** Estimated path from a node's start to the end of its iteration, by type. */
  readonly pathUs = new Float64Array(NODE_TYPES.length);
  readonly p50Us: Float64Array;
  readonly #present: Uint8Array;
  readonly #stations: readonly Station[];

  constructor(params: SimParams, stations: readonly Station[], countByType: Int32Array) {
    const quantiles = () => new RollingQuantiles(params.estimate_window);
    this.#stations = stations;
    this.#coldUs = params.cold_estimate_ms * 1000;
    this.#byType = NODE_TYPES.map(quantiles);
    this.#services = NODE_TYPES.map(() => stations.map(quantiles));
    this.#waits = NODE_TYPES.map(() => stations.map(quantiles));
    this.p50Us = new Float64Array(NODE_TYPES.length).fill(this.#coldUs);
    this.#present = Uint8Array.from(countByType, (count) => (count > 0 ? 1 : 0));
    this.#addUpPaths();
  }

  addWait(type: number, station: number, us: number): void {
    if (!this.#stations[station]!.isLocal) this.#waits[type]![station]!.add(us);
  }

  addService(type: number, station: number, us: number): void {
    const seen = this.#byType[type]!;
    seen.add(us);
    if (!this.#stations[station]!.isLocal) this.#services[type]![station]!.add(us);
    const p50 = seen.quantile(0.5, this.#coldUs);
    if (p50 === this.p50Us[type]) return;
    this.p50Us[type] = p50;
    this.#addUpPaths();
  }

  waitP95Us(type: number, station: number): number {
    return this.#waits[type]![station]!.quantile(0.95, 0);
  }

  serviceP50Us(type: number, station: number): number {
    return this.#services[type]![station]!.quantile(0.5, this.#coldUs);
  }

  serviceP95Us(type: number, station: number): number | null {
    const seen = this.#services[type]![station]!;
    return seen.count < LEAST_FOR_P95 ? null : seen.quantile(0.95, 0);
  }

  /** The types of an iteration form a chain, so the longest path is the sum of what follows. */
  #addUpPaths(): void {
    let sum = 0;
    for (let type = NODE_TYPES.length - 1; type >= 0; type--) {
      sum += this.#present[type]! * this.p50Us[type]!;
      this.pathUs[type] = sum;
    }
  }
}

const TYPES = NODE_TYPES.length;

/** Lays the situation before the policy and brings back its decisions, as stations and whole microseconds. */
export class Decisions {
  readonly #policy: Policy;
  readonly #settings: PolicySettings;
  readonly #table: WorkflowTable;
  readonly #graph: WorkflowGraph;
  readonly #estimates: Estimates;
  readonly #stations: Station[];
  readonly #budgetNanoUsd: number;
  readonly #iters: number;
  /** Stations that can take each type, the cheapest first. */
  readonly #stationsOf: number[][];
  readonly #leastNanoUsd: number[];
  readonly #iterationNanoUsd: number;
  // Filled anew for each question, so that a run of millions of calls makes no garbage.
  readonly #call: Call;
  readonly #options: TierOption[];

  constructor(
    params: SimParams,
    policy: Policy,
    parts: { table: WorkflowTable; graph: WorkflowGraph; estimates: Estimates; stations: Station[] },
  ) {
    this.#policy = policy;
    this.#table = parts.table;
    this.#graph = parts.graph;
    this.#estimates = parts.estimates;
    this.#stations = parts.stations;
    this.#budgetNanoUsd = params.budget_usd === null ? Infinity : Math.round(params.budget_usd * 1e9);
    this.#iters = params.iters;
    this.#settings = {
      escalationMinSPerCent: params.escalation_min_s_per_cent,
      hedgeAfterP95: params.hedge_after_p95,
      weights: params.priority_weights,
    };
    this.#stationsOf = NODE_TYPES.map((type) =>
      parts.stations.flatMap((station, i) => (station.resource === RESOURCE_OF[type] ? [i] : [])),
    );
    this.#leastNanoUsd = this.#stationsOf.map(([first]) => parts.stations[first ?? 0]!.priceNanoUsd);
    this.#iterationNanoUsd = this.#leastNanoUsd.reduce(
      (sum, price, type) => sum + price * parts.graph.countByType[type]!,
      0,
    );
    this.#call = blankCall();
    this.#options = parts.stations.map(({ tierId, priceUsd }) => {
      return { tierId, priceUsd, expectedWaitS: 0, serviceP50S: 0, serviceP95S: null };
    });
  }

  /** The station for a call, or -1 when the workflow can pay for none. */
  route(place: number, nowUs: number): number {
    const type = this.#graph.types[place % this.#graph.size]!;
    const payable = this.#payable(place, type);
    if (payable.length <= 1) return payable[0] ?? -1;
    const options = payable.map((station) => this.#option(type, station, nowUs));
    const chosen = this.#policy.route(this.#describe(place), options, this.#settings);
    const station = payable[chosen];
    if (station !== undefined) return station;
    throw new RangeError(`policy ${this.#policy.name}: route gave ${chosen} of ${options.length} options`);
  }

  priority(place: number): number {
    const priority = this.#policy.priority(this.#describe(place), this.#settings);
    if (Number.isFinite(priority)) return priority;
    throw new RangeError(`policy ${this.#policy.name}: priority gave ${priority}, which orders nothing`);
  }

  /** After how long to hedge a call that runs on a station; Infinity is never. */
  hedgeAfterUs(place: number, station: number, nowUs: number): number {
    if (!this.#policy.hedgeAfterS) return Infinity;
    const type = this.#graph.types[place % this.#graph.size]!;
    const option = this.#option(type, station, nowUs);
    const afterS = this.#policy.hedgeAfterS(this.#describe(place), option, this.#settings);
    return afterS === null ? Infinity : Math.max(1, Math.round(afterS * 1e6));
  }

  /** Where a hedge goes: the earliest expected completion elsewhere, or else the same station; -1 is nowhere. */
  hedgeStation(place: number, running: number, nowUs: number): number {
    const type = this.#graph.types[place % this.#graph.size]!;
    const payable = this.#payable(place, type);
    const others = payable.filter((station) => station !== running);
    let best = -1;
    let bestS = Infinity;
    for (const station of others.length > 0 ? others : payable) {
      const { expectedWaitS, serviceP50S } = this.#option(type, station, nowUs);
      if (expectedWaitS + serviceP50S >= bestS) continue;
      best = station;
      bestS = expectedWaitS + serviceP50S;
    }
    return best;
  }

  /** They stand in order of price, so it is all of them if the last is. */
  #payable(place: number, type: number): number[] {
    const all = this.#stationsOf[type]!;
    const left = this.#budgetNanoUsd - this.#table.spentNanoUsd[this.#table.workflowOf(place)]!;
    const isPayable = (station: number) => this.#stations[station]!.priceNanoUsd <= left;
    return isPayable(all.at(-1)!) ? all : all.filter(isPayable);
  }

  #option(type: number, index: number, nowUs: number): TierOption {
    const option = this.#options[index]!;
    const isFree = this.#stations[index]!.canStartNow(nowUs);
    const p95Us = this.#estimates.serviceP95Us(type, index);
    option.expectedWaitS = isFree ? 0 : this.#estimates.waitP95Us(type, index) / 1e6;
    option.serviceP50S = this.#estimates.serviceP50Us(type, index) / 1e6;
    option.serviceP95S = p95Us === null ? null : p95Us / 1e6;
    return option;
  }

  #describe(place: number): Call {
    const { size, types } = this.#graph;
    const { pathUs, p50Us } = this.#estimates;
    const call = this.#call;
    const workflow = this.#table.workflowOf(place);
    const type = types[place % size]!;
    let first = -1;
    let workUs = 0;
    let reserveNanoUsd = (this.#iters - 1 - this.#table.iteration[workflow]!) * this.#iterationNanoUsd;
    for (let other = 0; other < TYPES; other++) {
      const left = this.#table.unfinished[workflow * TYPES + other]!;
      if (left > 0 && first < 0) first = other;
      workUs += left * p50Us[other]!;
      reserveNanoUsd += left * this.#leastNanoUsd[other]!;
    }
    call.workflow = workflow;
    call.type = NODE_TYPES[type]!;
    call.readyS = this.#table.readyUs[place]! / 1e6;
    call.remainingPathS = pathUs[type]! / 1e6;
    call.slackS = (pathUs[first]! - pathUs[type]!) / 1e6;
    call.remainingWorkS = workUs / 1e6;
    call.spareUsd = (this.#budgetNanoUsd - this.#table.spentNanoUsd[workflow]! - reserveNanoUsd) / 1e9;
    return call;
  }
}

function blankCall(): Call {
  const times = { readyS: 0, remainingPathS: 0, slackS: 0, remainingWorkS: 0 };
  return { workflow: 0, type: "Plan", ...times, spareUsd: 0 };
}
