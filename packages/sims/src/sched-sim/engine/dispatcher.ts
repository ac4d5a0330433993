import { ATTEMPT_START, HEDGE_LAUNCHED, NODE_QUEUED } from "../trace-log.ts";
import { HEDGE, IDLE, PRIMARY } from "./workflow-table.ts";
import { ATTEMPT_ENDS, HEDGE_DUE, TOKEN_READY, type World } from "./world.ts";

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

const key = { workflow: 0, node: 0, attempt: 0 };

/** Takes a slot and a token; asks fate how it ends; plans the end and, perhaps, the hedge. */
function startAttempt(world: World, place: number, lane: number, index: number): void {
  const { attempts, table, graph, nowUs, fate, tally, events } = world;
  const station = world.stations[index]!;
  const workflow = table.workflowOf(place);
  const local = place % graph.size;
  const waitedUs = nowUs - table.queuedUs[2 * place + lane]!;
  const slot = station.begin(nowUs, waitedUs);
  world.estimates.addWait(graph.types[local]!, index, waitedUs);
  table.lanes[2 * place + lane] = -(slot + 1);

  key.workflow = workflow;
  key.node = table.nodeNumber(place);
  key.attempt = 2 * table.tries[place]! + lane;
  fate.ofAttempt(key, graph.types[local]!, graph.pdfs[local]!, station);
  attempts.place[slot] = place;
  attempts.lane[slot] = lane;
  attempts.startedUs[slot] = nowUs;
  attempts.ending[slot] = fate.ending;

  tally.attemptsStarted++;
  if (lane === HEDGE) tally.hedgesStarted++;
  else if (station.isDearer) tally.escalations++;
  world.trace?.add(ATTEMPT_START, nowUs, workflow, key.node, slot, key.attempt);

  const { durationUs } = fate;
  const generation = attempts.generation[slot]!;
  events.push(nowUs + durationUs, ATTEMPT_ENDS, slot, generation);
  if (lane === HEDGE || station.isLocal) return;
  const hedgeAfterUs = world.decisions.hedgeAfterUs(place, index, nowUs);
  // The policy doesn't know the duration; this only saves events that would find the attempt gone.
  if (hedgeAfterUs < durationUs) events.push(nowUs + hedgeAfterUs, HEDGE_DUE, slot, generation);
}
