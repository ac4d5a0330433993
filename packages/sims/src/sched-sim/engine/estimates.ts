import { NODE_TYPES } from "../node-type.ts";
import type { SimParams } from "../params/index.ts";
import { RollingQuantiles } from "../statistics/rolling-quantiles.ts";
import type { Station } from "./station.ts";

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
