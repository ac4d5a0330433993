/** How many of a task's attempts passed. */
export interface TaskOutcomes {
  attempts: number;
  passed: number;
}

/** Why outcomes are not counts, or undefined if they are. */
export function outcomesProblem(tasks: readonly TaskOutcomes[], k: number): string | undefined {
  if (!(Number.isInteger(k) && k >= 1)) return `k is a whole number from 1 on, not ${k}`;
  if (tasks.length === 0) return "there are no tasks";
  for (const [i, { attempts, passed }] of tasks.entries()) {
    if (!(Number.isInteger(attempts) && Number.isInteger(passed) && passed >= 0 && passed <= attempts)) {
      return `task ${i + 1} has ${passed} passes in ${attempts} attempts`;
    }
  }
  if (tasks.every(({ attempts }) => attempts < k)) return `no task has as many as ${k} attempts`;
  return undefined;
}
