import { FINISHES } from "./fate.ts";
import type { Station } from "./station.ts";

/** The attempts under way, one a slot. A slot is reused; its generation tells old events from new ones. */
export class AttemptTable {
  readonly place: Int32Array;
  readonly lane: Uint8Array;
  readonly startedUs: Float64Array;
  readonly ending: Uint8Array;
  readonly generation: Int32Array;
  /** Position of the station that a slot belongs to. */
  readonly station: Int32Array;

  constructor(stations: readonly Station[]) {
    const owners = stations.flatMap((station, i) => Array<number>(station.concurrency).fill(i));
    this.station = Int32Array.from(owners);
    this.place = new Int32Array(owners.length);
    this.lane = new Uint8Array(owners.length);
    this.startedUs = new Float64Array(owners.length);
    this.ending = new Uint8Array(owners.length).fill(FINISHES);
    this.generation = new Int32Array(owners.length);
  }
}
