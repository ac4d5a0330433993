import { HEDGE_LAUNCHED, NODE_QUEUED } from "../trace/trace-log.ts";
import { TOKEN_READY } from "./event-type.ts";
import { startAttempt } from "./start-attempt.ts";
import { HEDGE, IDLE, PRIMARY } from "./workflow-table.ts";
import type { World } from "./world.ts";

/** Brings ready nodes to stations: queues, tokens, slots and money. */
export class Dispatcher {
  readonly #world: World;
  readonly #outOfMoney: (workflow: number) => void;
  /** Stations where something may be able to start now. */
  readonly #stirred: Uint8Array;
  #anyStirred = false;
  #inFlight = 0;
  #lastTicket = 0;

  constructor(world: World, outOfMoney: (workflow: number) => void) {
    this.#world = world;
    this.#outOfMoney = outOfMoney;
    this.#stirred = new Uint8Array(world.stations.length);
  }

  /** Queues the node where its policy wants it, unless the workflow can pay for no tier any more. */
  submit(place: number): void {
    const { decisions, nowUs, table } = this.#world;
    const station = decisions.route(place, nowUs);
    if (station < 0) this.#outOfMoney(table.workflowOf(place));
    else this.#enqueue(place, PRIMARY, station);
  }

  /** Queues a duplicate of a running attempt elsewhere, if there is money for it. */
  hedge(slot: number): void {
    const { attempts, decisions, nowUs, table, tally, trace } = this.#world;
    const place = attempts.place[slot]!;
    const station = decisions.hedgeStation(place, attempts.station[slot]!, nowUs);
    if (station < 0) return;
    const workflow = table.workflowOf(place);
    table.hedges[workflow]!++;
    tally.hedgesLaunched++;
    trace?.add(HEDGE_LAUNCHED, nowUs, workflow, table.nodeNumber(place));
    this.#enqueue(place, HEDGE, station);
  }

  /** Takes a queued attempt out and gives its money back; its entry is dropped when it surfaces. */
  withdraw(place: number, lane: number): void {
    const { table, stations, nowUs } = this.#world;
    const at = 2 * place + lane;
    const station = stations[table.queuedAt[at]!]!;
    station.leave(nowUs, table.queuedUs[at]!);
    table.spentNanoUsd[table.workflowOf(place)]! -= station.priceNanoUsd;
    table.lanes[at] = IDLE;
  }

  /** Frees the slot of an attempt that has ended or is being cancelled. */
  release(slot: number): void {
    const { attempts, stations, nowUs, table, params } = this.#world;
    const station = attempts.station[slot]!;
    stations[station]!.release(nowUs, slot, attempts.startedUs[slot]!);
    attempts.generation[slot]!++;
    table.lanes[2 * attempts.place[slot]! + attempts.lane[slot]!] = IDLE;
    if (this.#inFlight-- === params.in_flight_cap) this.#stirred.fill(1);
    this.stir(station);
  }

  /** Says that something may be able to start at a station. */
  stir(station: number): void {
    this.#stirred[station] = 1;
    this.#anyStirred = true;
  }

  /** Starts all that can start. Called once after each event, so that what is ready together competes. */
  settle(): void {
    while (this.#anyStirred) {
      this.#anyStirred = false;
      for (let station = 0; station < this.#stirred.length; station++) {
        if (this.#stirred[station] === 0) continue;
        this.#stirred[station] = 0;
        this.#serve(station);
      }
    }
  }

  #enqueue(place: number, lane: number, index: number): void {
    const { table, stations, decisions, nowUs, trace } = this.#world;
    const station = stations[index]!;
    const ticket = ++this.#lastTicket;
    table.lanes[2 * place + lane] = ticket;
    table.queuedUs[2 * place + lane] = nowUs;
    table.queuedAt[2 * place + lane] = index;
    // Paid for here, not at the start: what waits in queues can't be promised twice.
    table.spentNanoUsd[table.workflowOf(place)]! += station.priceNanoUsd;
    station.join(nowUs);
    station.queue.push(-decisions.priority(place), lane, place, ticket);
    if (lane === PRIMARY) trace?.add(NODE_QUEUED, nowUs, table.workflowOf(place), table.nodeNumber(place));
    this.stir(index);
  }

  #serve(index: number): void {
    const world = this.#world;
    const { nowUs, table } = world;
    const station = world.stations[index]!;
    const { queue, bucket } = station;
    while (station.freeSlots.length > 0 && this.#inFlight < world.params.in_flight_cap && queue.peek()) {
      const place = queue.a;
      const lane = queue.type;
      const isWithdrawn = table.lanes[2 * place + lane] !== queue.b;
      if (!isWithdrawn && bucket !== null && bucket.readyAtUs() > nowUs) {
        this.#awaitToken(index, bucket.readyAtUs());
        return;
      }
      queue.pop();
      if (isWithdrawn) continue;
      station.leave(nowUs, table.queuedUs[2 * place + lane]!);
      this.#inFlight++;
      startAttempt(world, place, lane, index);
    }
  }

  #awaitToken(index: number, readyAtUs: number): void {
    const station = this.#world.stations[index]!;
    if (station.awaitsToken) return;
    station.awaitsToken = true;
    this.#world.events.push(readyAtUs, TOKEN_READY, index, 0);
  }
}
