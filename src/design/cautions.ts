import type { DesignArm } from "./arms.ts";
import type { Pairing, UnitKind } from "./unit.ts";

/** Something a reader should know about how runs were put together. */
export interface Caution {
  kind: "variant" | "averaged" | "repeats" | "settings" | "tasks" | "unfinished" | "looks" | "deviation";
  text: string;
}

interface Doubts {
  variant: string | null;
  averaged: readonly string[];
  unit: UnitKind;
  counts: { tasks: number; seeds: number };
  blocks: readonly string[];
  pairing: Pairing;
  arms: readonly DesignArm[];
}

/** What a reader of any answer should know. */
export function cautionsOf({ variant, averaged, unit, counts, blocks, pairing, arms }: Doubts): Caution[] {
  const cautions: Caution[] = [];
  const say = (kind: Caution["kind"], words: string) => cautions.push({ kind, text: words });
  if (variant !== null) say("variant", `Only runs of the variant ${variant} are compared here.`);
  if (averaged.length > 0)
    say(
      "averaged",
      `Only some arms have ${averaged.join(", ")}: each ${unit}'s value is its mean over ${averaged.length === 1 ? "it" : "them"}. Add ${averaged.join(", ")} to --by to keep them apart.`,
    );
  if (unit === "repeat" || unit === "round")
    say("repeats", "There is one seed: its repeats are counted, and they say nothing about other seeds.");
  if (unit === "setting" && arms.length > 1)
    say(
      "settings",
      `Each setting was run once for each arm: the settings of ${blocks.join(", ")} are counted, and nothing is known about chance within one.`,
    );
  if (unit === "seed" && counts.tasks > 1 && !pairing.isAsked)
    say("tasks", `The claim is about these ${counts.tasks} tasks: seeds are what was drawn.`);
  return cautions;
}
