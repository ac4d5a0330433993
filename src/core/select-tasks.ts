import { UserError } from "./errors.ts";
import { RandomStream, shuffle } from "./random.ts";

/** Which of a target's tasks a study takes. */
export interface TaskSelection {
  /** Only those of this subset; "all" is every one. */
  subset?: string;
  /** A part of the list, written as `:10` or `5:20`. */
  slice?: string;
  /** The list is put into an order drawn from `shuffleSeed` first. */
  shuffle?: boolean;
  shuffleSeed?: number;
}

export interface TaskEntry {
  name: string;
  /** Subsets that it belongs to. */
  subsets: string[];
}

/** The names of the chosen tasks: sorted, then shuffled if asked for, then sliced. */
export function selectTasks(all: readonly TaskEntry[], selection: TaskSelection): string[] {
  const { subset = "all", slice, shuffle: isShuffled = false, shuffleSeed = 42 } = selection;
  const subsets = [...new Set(all.flatMap((task) => task.subsets))].sort();
  if (subset !== "all" && !subsets.includes(subset)) {
    throw new UserError(`there is no subset "${subset}" of the tasks`, {
      expected: ["all", ...subsets].join(", "),
    });
  }
  const names = all
    .filter((task) => subset === "all" || task.subsets.includes(subset))
    .map(({ name }) => name)
    .sort();
  const ordered = isShuffled ? shuffle(names, new RandomStream(shuffleSeed, "order of tasks")) : names;
  const chosen = slice === undefined || slice === "" ? ordered : sliceOf(ordered, slice);
  if (chosen.length === 0)
    throw new UserError("no task is chosen", { got: `slice ${slice} of ${ordered.length} tasks` });
  return chosen;
}

/** A slice as Python writes it, without a step: either bound may be left out or count from the end. */
function sliceOf<T>(items: readonly T[], text: string): T[] {
  const match = /^\s*(-?\d+)?\s*:\s*(-?\d+)?\s*$/.exec(text);
  if (!match)
    throw new UserError("slice", { expected: "such as :10, 5:20 or -3:", got: JSON.stringify(text) });
  const bound = (part: string | undefined) => (part === undefined ? undefined : Number(part));
  return items.slice(bound(match[1]) ?? 0, bound(match[2]));
}
