import { BEAT, BEAT_DUE, CHECK, CHECK_DUE, CHECKED, LOOK, LOOK_DUE, LOOKED } from "./events.ts";
import type { FleetParams } from "./index.ts";
import { COORDINATOR, REDIS, type World } from "./world.ts";

const BEAT_S = 1;
const LOOK_S = 1;
/** The coordinator asks for the state of chunks that are older than four seconds, every three. */
const CHECK_S = 3;
const OLD_MS = 4000;

/** What a fleet that has all it can do under way asks of a thread while no run ends; 1 is all that a thread has. */
export interface StandingLoad {
  redis: number;
  coordinator: number;
}

export function standingLoad(params: FleetParams): StandingLoad {
  const { workers, jobs, window, ahead } = params;
  const underWay = Math.min(workers * jobs, window);
  const all = isChecked(params) ? Math.min(window, workers * jobs * ahead) : 0;
  const checksUs = (all * checkUs(params, underWay, Math.max(1, all))) / CHECK_S;
  const askedUs = (all * params.coordinator_message_us) / 3 / CHECK_S;
  return {
    redis: (workers * (beatUs(params) / BEAT_S + params.look_redis_us / LOOK_S) + checksUs) / 1e6,
    coordinator: ((workers * params.look_coordinator_us) / LOOK_S + askedUs) / 1e6,
  };
}

/** Redis, one heartbeat of one worker, with its share of renewing what it has leased. */
function beatUs({ beat_redis_us, redis_message_us, jobs, workers, window, lease_s }: FleetParams): number {
  const busy = Math.min(jobs, window / workers);
  return beat_redis_us + (busy * BEAT_S * redis_message_us) / 3 / (lease_s / 2);
}

function isChecked({ run_ms, redis_message_us, scan_redis_us }: FleetParams): boolean {
  return run_ms > OLD_MS && redis_message_us + scan_redis_us > 0;
}

/** Redis, the state of one chunk: those that wait are found by a hash, those under way by going through half the list. */
function checkUs({ redis_message_us, scan_redis_us }: FleetParams, underWay: number, all: number): number {
  return redis_message_us / 3 + (underWay / all) * (underWay / 2) * scan_redis_us;
}

/** Heartbeats go in so many groups at most: each worker's own would be most of what there is to simulate. */
const MOST_GROUPS = 40;
/** States of chunks are asked for so many at a time. */
const AT_A_TIME = 100;

/**
 * What a fleet costs while no run ends: heartbeats, the coordinator's looks at the registry and for lost chunks. Each
 * begins anew when its time has come and the one before is over, so a server that is too slow makes them rare.
 */
export class Upkeep {
  readonly #params: FleetParams;
  readonly #world: World;
  readonly #chunks: () => { underWay: number; all: number };
  readonly #groups: number;
  readonly #began: Float64Array;
  #lookBegan = 0;
  #checkBegan = 0;
  #toCheck = 0;
  beats = 0;
  beatSpanUs = 0;

  constructor(params: FleetParams, world: World, chunks: () => { underWay: number; all: number }) {
    this.#params = params;
    this.#world = world;
    this.#chunks = chunks;
    this.#groups = Math.min(params.workers, MOST_GROUPS);
    this.#began = new Float64Array(this.#groups);
    if (beatUs(params) > 0)
      for (let group = 0; group < this.#groups; group++)
        world.later((group / this.#groups) * BEAT_S * 1e6, BEAT_DUE, group);
    if (params.look_redis_us + params.look_coordinator_us > 0) world.later(LOOK_S * 1e6, LOOK_DUE, 0);
    if (isChecked(params)) world.later(CHECK_S * 1e6, CHECK_DUE, 0);
  }

  /** True where the event was one of these. */
  due(type: number, about: number): boolean {
    if (type === BEAT_DUE) this.#beat(about);
    else if (type === LOOK_DUE) this.#look();
    else if (type === CHECK_DUE) this.#check();
    else return false;
    return true;
  }

  served(kind: number, about: number): void {
    const world = this.#world;
    const { workers, look_coordinator_us, coordinator_message_us } = this.#params;
    if (kind === BEAT) this.#again(this.#began[about]!, BEAT_S, BEAT_DUE, about);
    else if (kind === LOOK)
      world.send(COORDINATOR, { kind: LOOKED, about, costUs: workers * look_coordinator_us });
    else if (kind === LOOKED) this.#again(this.#lookBegan, LOOK_S, LOOK_DUE);
    else if (kind === CHECK)
      world.send(COORDINATOR, { kind: CHECKED, about, costUs: (about * coordinator_message_us) / 3 });
    else if (kind === CHECKED) {
      if (this.#toCheck > 0) this.#checkSome();
      else this.#again(this.#checkBegan, CHECK_S, CHECK_DUE);
    }
  }

  #beat(group: number): void {
    const { nowUs } = this.#world;
    if (this.#began[group]! > 0) {
      this.beats++;
      this.beatSpanUs += nowUs - this.#began[group]!;
    }
    this.#began[group] = nowUs;
    const costUs = (beatUs(this.#params) * this.#params.workers) / this.#groups;
    this.#world.send(REDIS, { kind: BEAT, about: group, costUs });
  }

  #look(): void {
    this.#lookBegan = this.#world.nowUs;
    const costUs = this.#params.workers * this.#params.look_redis_us;
    this.#world.send(REDIS, { kind: LOOK, about: 0, costUs });
  }

  #check(): void {
    this.#checkBegan = this.#world.nowUs;
    this.#toCheck = this.#chunks().all;
    if (this.#toCheck > 0) this.#checkSome();
    else this.#again(this.#checkBegan, CHECK_S, CHECK_DUE);
  }

  #checkSome(): void {
    const about = Math.min(AT_A_TIME, this.#toCheck);
    this.#toCheck -= about;
    const { underWay, all } = this.#chunks();
    const costUs = about * checkUs(this.#params, underWay, Math.max(1, all));
    this.#world.send(REDIS, { kind: CHECK, about, costUs });
  }

  #again(beganUs: number, periodS: number, type: number, about = 0): void {
    this.#world.later(Math.max(0, beganUs + periodS * 1e6 - this.#world.nowUs), type, about);
  }
}
