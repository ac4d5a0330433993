import type { RolloutRun } from "./rollout-run.ts";
import { type ArmSummary, summariseArm } from "./summarise-arm.ts";
import { type CellSummary, summariseCell } from "./summarise-cell.ts";

/** What the rollouts of a launch come to. */
export interface RolloutsSummary {
  tasks: string[];
  arms: ArmSummary[];
  /** By task, then by arm. */
  cells: CellSummary[];
}

/** Sums up rollouts, by task and arm and by arm; the orders are those of `arms` and of first appearance. */
export function summariseRollouts(
  runs: readonly RolloutRun[],
  arms: readonly string[] = [...new Set(runs.map(({ arm }) => arm))],
): RolloutsSummary {
  const grouped = new Map<string, Map<string, RolloutRun[]>>();
  for (const run of runs) {
    const ofTask = grouped.get(run.task) ?? new Map<string, RolloutRun[]>();
    grouped.set(run.task, ofTask);
    const list = ofTask.get(run.arm);
    if (list) list.push(run);
    else ofTask.set(run.arm, [run]);
  }
  const cells = [...grouped.values()].flatMap((ofTask) =>
    arms.flatMap((arm) => {
      const list = ofTask.get(arm);
      return list ? [summariseCell(list)] : [];
    }),
  );
  const byArm = new Map(arms.map((arm) => [arm, [] as CellSummary[]]));
  for (const cell of cells) byArm.get(cell.arm)?.push(cell);
  return {
    tasks: [...grouped.keys()],
    arms: arms.map((arm) => summariseArm(arm, byArm.get(arm)!)),
    cells,
  };
}
