import { BEAT, BEAT_DUE, CHECK, CHECK_DUE, CHECKED, LOOK, LOOK_DUE, LOOKED } from "./event-type.ts";
import type { FleetParams } from "./params.ts";
import { BEAT_S, beatUs, CHECK_S, checkUs, isChecked, LOOK_S } from "./standing-load.ts";
import { COORDINATOR, REDIS, type World } from "./world.ts";

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
