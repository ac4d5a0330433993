import { ATTEMPT_CANCEL, ATTEMPT_FAIL, ATTEMPT_FINISH, CANCEL_REASONS } from "../trace-log.ts";
import { Dispatcher } from "./dispatcher.ts";
import { FINISHES, TIMES_OUT } from "./fate.ts";
import { HEDGE, IDLE, PRIMARY, type WorkflowOutcome } from "./workflow-table.ts";
import { RETRY_DUE, type World } from "./world.ts";

/** What the keeper tells of. */
interface Workflows {
  nodeFinished(place: number): void;
  end(workflow: number, outcome: WorkflowOutcome): void;
}

/** Follows attempts to their end: finish, failure and retry, hedge and cancellation. */
export class AttemptKeeper {
  readonly #world: World;
  readonly #workflows: Workflows;
  readonly dispatcher: Dispatcher;

  constructor(world: World, workflows: Workflows) {
    this.#world = world;
    this.#workflows = workflows;
    this.dispatcher = new Dispatcher(world, (workflow) => workflows.end(workflow, "budget_exhausted"));
  }

  submit(place: number): void {
    this.dispatcher.submit(place);
  }

  /** An attempt has reached its planned end, unless it was cancelled before (an old generation). */
  attemptEnds(slot: number, generation: number): void {
    const { attempts } = this.#world;
    if (attempts.generation[slot] !== generation) return;
    if (attempts.ending[slot] === FINISHES) this.#finish(slot);
    else this.#fail(slot);
  }

  hedgeDue(slot: number, generation: number): void {
    if (this.#world.attempts.generation[slot] === generation) this.dispatcher.hedge(slot);
  }

  retryDue(place: number, iteration: number): void {
    const { table } = this.#world;
    const workflow = table.workflowOf(place);
    if (table.outcome[workflow] !== -1 || table.iteration[workflow] !== iteration) return;
    this.submit(place);
    if (table.outcome[workflow] === -1) table.retries[workflow]!++;
  }

  /** Ends all that a given-up workflow has running or queued. */
  cancelAll(workflow: number): void {
    const { graph } = this.#world;
    for (let place = workflow * graph.size; place < (workflow + 1) * graph.size; place++) {
      this.#drop(place, PRIMARY, "workflow_ended");
      this.#drop(place, HEDGE, "workflow_ended");
    }
  }

  #finish(slot: number): void {
    const { attempts, tally, trace, nowUs, table } = this.#world;
    const place = attempts.place[slot]!;
    const lane = attempts.lane[slot]!;
    tally.attemptsFinished++;
    if (lane === HEDGE) tally.hedgesWon++;
    trace?.add(ATTEMPT_FINISH, nowUs, table.workflowOf(place), table.nodeNumber(place), slot, lane);
    this.#learn(slot);
    this.dispatcher.release(slot);
    this.#drop(place, 1 - lane, "hedge_lost");
    this.#workflows.nodeFinished(place);
  }

  #fail(slot: number): void {
    const { attempts, tally, trace, nowUs, table } = this.#world;
    const place = attempts.place[slot]!;
    const lane = attempts.lane[slot]!;
    const ending = attempts.ending[slot]!;
    const workflow = table.workflowOf(place);
    tally.attemptsFailed++;
    trace?.add(ATTEMPT_FAIL, nowUs, workflow, table.nodeNumber(place), slot, 2 * ending + lane);
    if (ending === TIMES_OUT) {
      tally.timeouts++;
      this.#learn(slot);
    }
    this.#waste(slot);
    this.dispatcher.release(slot);
    if (table.lanes[2 * place + 1 - lane] === IDLE) this.#retry(place, workflow);
  }

  #retry(place: number, workflow: number): void {
    const { table, params, events, nowUs } = this.#world;
    const tries = ++table.tries[place]!;
    if (tries > params.retries) {
      this.#workflows.end(workflow, "failed");
      return;
    }
    const backoffUs = Math.round(params.backoff_ms * 1000) * 2 ** (tries - 1);
    events.push(nowUs + backoffUs, RETRY_DUE, place, table.iteration[workflow]!);
  }

  #drop(place: number, lane: number, reason: (typeof CANCEL_REASONS)[number]): void {
    const { table } = this.#world;
    const holds = table.lanes[2 * place + lane]!;
    if (holds > 0) this.dispatcher.withdraw(place, lane);
    else if (holds < 0) this.#cancel(-holds - 1, reason);
  }

  #cancel(slot: number, reason: (typeof CANCEL_REASONS)[number]): void {
    const { attempts, table, tally, trace, nowUs } = this.#world;
    const place = attempts.place[slot]!;
    const workflow = table.workflowOf(place);
    tally.attemptsCancelled++;
    table.cancellations[workflow]!++;
    const detail = 2 * CANCEL_REASONS.indexOf(reason) + attempts.lane[slot]!;
    trace?.add(ATTEMPT_CANCEL, nowUs, workflow, table.nodeNumber(place), slot, detail);
    this.#learn(slot);
    this.#waste(slot);
    this.dispatcher.release(slot);
  }

  /** Cut-off attempts count with what they had used: without them, estimates would forget the slow ones. */
  #learn(slot: number): void {
    const { attempts, graph, estimates, nowUs } = this.#world;
    const type = graph.types[attempts.place[slot]! % graph.size]!;
    estimates.addService(type, attempts.station[slot]!, nowUs - attempts.startedUs[slot]!);
  }

  #waste(slot: number): void {
    const { attempts, table, stations, nowUs } = this.#world;
    const workflow = table.workflowOf(attempts.place[slot]!);
    table.wastedUs[workflow]! += nowUs - attempts.startedUs[slot]!;
    table.wastedNanoUsd[workflow]! += stations[attempts.station[slot]!]!.priceNanoUsd;
  }
}
