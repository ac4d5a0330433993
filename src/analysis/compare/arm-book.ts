import type { Arm, ArmSet, Observation } from "../../design/arm-set.ts";

/** How all observations of one comparison are paired. */
export type Layout = Pick<ArmSet, "keys" | "noun" | "hasRollouts" | "isAsked" | "unnamed" | "clusterBy">;

/** Where an observation belongs. */
export interface Place extends Omit<Observation, "value"> {
  arm: string;
  /** null where the data are compared as a whole. */
  part: string | null;
}

/** What is measured: its name, which direction is better, what it can be. */
export interface BookMetric extends Pick<ArmSet, "range" | "failure" | "isLeastTime"> {
  name: string;
  goal?: ArmSet["goal"] | null | undefined;
}

/** Sorts observations of several metrics into arms, and arms into the parts of the data. */
export class ArmBook {
  readonly #metrics: BookMetric[];
  readonly #parts = new Map<string | null, Map<string, Observation[][]>>();
  readonly #arms = new Set<string>();

  constructor(metrics: BookMetric[]) {
    this.#metrics = metrics;
  }

  /** One value a metric, in their order. */
  add(place: Place, values: readonly (number | null)[]): void {
    const { arm, part, id, unit, tries, cluster, block, owner } = place;
    let arms = this.#parts.get(part);
    if (!arms) {
      arms = new Map();
      this.#parts.set(part, arms);
    }
    let lists = arms.get(arm);
    if (!lists) {
      lists = this.#metrics.map(() => []);
      arms.set(arm, lists);
      this.#arms.add(arm);
    }
    // Field by field: with a million rows, copies of whole objects take most of the time.
    for (let i = 0; i < values.length; i++)
      lists[i]!.push({ id, value: values[i]!, unit, tries, cluster, block, owner });
  }

  get arms(): string[] {
    return [...this.#arms];
  }

  /** `order` is that of the arms; one that a part lacks is there without observations. */
  sets(layout: Layout, order: readonly string[] = this.arms): ArmSet[] {
    return [...this.#parts].flatMap(([part, arms]) =>
      this.#metrics.map(({ name, goal, range, failure, isLeastTime }, i) => ({
        ...layout,
        metric: name,
        part,
        arms: order.map((arm): Arm => ({ name: arm, observations: arms.get(arm)?.[i] ?? [] })),
        ...(goal ? { goal } : {}),
        ...{ range, failure, isLeastTime },
      })),
    );
  }
}
