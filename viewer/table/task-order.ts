import type { TasksView } from "../../src/reporters/study-view.ts";
import type { SortKey } from "./sort-rows.ts";

interface Wish {
  /** Words that the task's name must hold. */
  search: string;
  /** Only tasks that arms differ on. */
  isApart: boolean;
  keys: readonly SortKey[];
}

/** The tasks that are wanted, by their places, in the order that is wanted; what is unknown stands last. */
export function orderTasks(grid: TasksView, { search, isApart, keys }: Wish): number[] {
  const words = search.toLowerCase().split(/\s+/);
  const rows = grid.tasks.flatMap((task, i) => {
    const isWanted = words.every((word) => task.toLowerCase().includes(word));
    return isWanted && (!isApart || (grid.gaps[i] ?? 0) > 0) ? [i] : [];
  });
  const columns = keys.flatMap(({ column, isDescending }) => {
    const values = columnOf(grid, column);
    return values ? [{ values, sign: isDescending ? -1 : 1 }] : [];
  });
  return rows.sort((a, b) => {
    for (const { values, sign } of columns) {
      const [left, right] = [values[a] ?? null, values[b] ?? null];
      if (left === right) continue;
      if (left === null) return 1;
      if (right === null) return -1;
      return left < right ? -sign : sign;
    }
    return a - b;
  });
}

function columnOf(grid: TasksView, name: string): readonly (number | string | null)[] | undefined {
  if (name === "task") return grid.tasks;
  if (name === "solved" || name === "mean") return grid.means;
  if (name === "apart") return grid.gaps;
  if (name === "cost") return grid.costs;
  return grid.arms.find((arm) => `arm ${arm.name}` === name)?.means;
}
