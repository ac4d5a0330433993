import { agentAbility, solveChance } from "../rasch.ts";
import type { WeightedDraw } from "../sequences/weighted-order.ts";

/** How many tasks were expected to differ and did, before any was tried. */
const GUESSED = 3;
/** What is left may differ more often than it seems: by a standard error of a count, and by some tasks more. */
const DOUBT = { errors: 1, tasks: 2 };

/** What two arms made of tasks, 0 to 1, and null where one has no value. */
export type PairValues = readonly [readonly (number | null)[], readonly (number | null)[]];

/** How likely two arms are to differ on each task, by how easy it was for earlier agents and what the arms have shown. */
export class Outlook {
  /** Of each task, at the abilities that the arms showed when it was last asked. */
  readonly chances: Float64Array;
  private seen = 0;
  private left = 0;

  constructor(private readonly easiness: ArrayLike<number>) {
    this.chances = new Float64Array(easiness.length);
    this.learn([[], []], []);
  }

  /** What the arms made of the tasks so far, in the order of the draws. */
  learn(values: PairValues, draws: readonly WeightedDraw[]): void {
    const { chances, easiness } = this;
    const tried = draws.map(({ index }) => easiness[index]!);
    const [a, b] = values.map((own) => abilityOf(own, tried)) as [number, number];
    let all = 0;
    for (let i = 0; i < chances.length; i++) {
      const [p, q] = [solveChance(a, easiness[i]!), solveChance(b, easiness[i]!)];
      all += chances[i] = p * (1 - q) + q * (1 - p);
    }
    this.seen = 0;
    for (const [k, { index }] of draws.entries())
      if (values.every((own) => own[k] !== null)) this.seen += chances[index]!;
    this.left = all - this.seen;
  }

  /** Both arms have tried this task. */
  take(index: number): void {
    this.seen += this.chances[index]!;
    this.left -= this.chances[index]!;
  }

  /** How many of the tasks that are left are likely to differ, where so many of those before did. */
  expected(differing: number): number {
    return (Math.max(0, this.left) * (differing + GUESSED)) / (this.seen + GUESSED);
  }

  /** How many may. */
  most(differing: number): number {
    const expected = this.expected(differing);
    return expected + DOUBT.errors * Math.sqrt(expected) + DOUBT.tasks;
  }
}

function abilityOf(values: readonly (number | null)[], easiness: readonly number[]): number {
  const tried = [...values.keys()].filter((i) => values[i] !== null);
  return agentAbility(
    tried.map((i) => values[i]!),
    tried.map((i) => easiness[i]!),
  );
}
