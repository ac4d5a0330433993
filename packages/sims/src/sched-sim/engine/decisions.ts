import { NODE_TYPES, RESOURCE_OF } from "../node-type.ts";
import type { SimParams } from "../params/index.ts";
import type { Call, Policy, PolicySettings, TierOption } from "../policies/policy.ts";
import type { WorkflowGraph } from "../workflow-graph.ts";
import type { Estimates } from "./estimates.ts";
import type { Station } from "./station.ts";
import type { WorkflowTable } from "./workflow-table.ts";

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
