import type { JudgedRun } from "../../../src/analysis/labels/judge.ts";
import { RandomStream } from "../../../src/core/random.ts";

export interface Drawn {
  tasks: number;
  tries?: number;
  /** The share of runs that people have judged. */
  labelled: number;
  /** How often the judge is wrong; .5 is a judge that guesses. */
  errs: number;
}

/** Runs of one arm, .6 of which people would pass: each task has a difficulty of its own, so its tries go together. */
export function judgedRuns(seed: number, { tasks, tries = 1, labelled, errs }: Drawn): JudgedRun[] {
  const random = new RandomStream(seed, "judged runs").sequence();
  return Array.from({ length: tasks }, (_, task) => {
    const ease = random() < 0.5 ? 0.9 : 0.3;
    return Array.from({ length: tries }, (): JudgedRun => {
      const truth = random() < (tries === 1 ? 0.6 : ease) ? 1 : 0;
      const judge = random() < errs ? 1 - truth : truth;
      return { arm: "a", unit: String(task), judge, label: random() < labelled ? truth : null };
    });
  }).flat();
}
