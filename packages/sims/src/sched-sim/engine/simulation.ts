import type { SimParams } from "../params.ts";
import type { Policy } from "../policy.ts";
import { AttemptKeeper } from "./attempt-keeper.ts";
import { WorkflowRunner } from "./workflow-runner.ts";
import {
  ATTEMPT_ENDS,
  HEDGE_DUE,
  makeWorld,
  RETRY_DUE,
  TOKEN_READY,
  WORKFLOW_ARRIVES,
  type World,
} from "./world.ts";

/** One run of the model: takes events in order of time until every workflow has ended. */
export class Simulation {
  readonly world: World;
  readonly #keeper: AttemptKeeper;
  readonly #runner: WorkflowRunner;

  constructor(params: SimParams, policy: Policy, seed: number) {
    this.world = makeWorld(params, policy, seed);
    // Each side calls the other: nodes that finish make nodes ready.
    const runner: WorkflowRunner = new WorkflowRunner(this.world, {
      submit: (place) => this.#keeper.submit(place),
      cancelAll: (workflow) => this.#keeper.cancelAll(workflow),
    });
    this.#runner = runner;
    this.#keeper = new AttemptKeeper(this.world, runner);
    this.world.events.push(this.world.fate.gapUs(0), WORKFLOW_ARRIVES, 0, 0);
  }

  /** Handles up to `most` events; true when the run is over. */
  advance(most = Infinity): boolean {
    const { world } = this;
    const { events, tally } = world;
    const { dispatcher } = this.#keeper;
    for (let handled = 0; handled < most; handled++) {
      if (!events.pop()) return true;
      world.nowUs = events.key;
      tally.events++;
      this.#handle(events.type, events.a, events.b);
      dispatcher.settle();
    }
    return false;
  }

  #handle(type: number, a: number, b: number): void {
    switch (type) {
      case WORKFLOW_ARRIVES:
        this.#arrive(a);
        break;
      case ATTEMPT_ENDS:
        this.#keeper.attemptEnds(a, b);
        break;
      case HEDGE_DUE:
        this.#keeper.hedgeDue(a, b);
        break;
      case RETRY_DUE:
        this.#keeper.retryDue(a, b);
        break;
      case TOKEN_READY:
        this.world.stations[a]!.awaitsToken = false;
        this.#keeper.dispatcher.stir(a);
        break;
    }
  }

  #arrive(workflow: number): void {
    const { events, fate, nowUs, table } = this.world;
    const next = workflow + 1;
    if (next < table.count) events.push(nowUs + fate.gapUs(next), WORKFLOW_ARRIVES, next, 0);
    this.#runner.begin(workflow);
  }
}
