import type { Turn } from "../../src/core/trajectory.ts";

/** Turns in a row that two agents took alike, or not; places from 0, `to` is the first that is no part of it. */
export interface Stretch {
  from: number;
  to: number;
  isEqual: boolean;
}

/** The first `count` turns of two agents, side by side by their places. */
export function stretchesOf(a: readonly Turn[], b: readonly Turn[], count: number): Stretch[] {
  const stretches: Stretch[] = [];
  for (let at = 0; at < count; at++) {
    const isEqual = isSame(a[at], b[at]);
    const last = stretches.at(-1);
    if (last?.isEqual === isEqual) last.to++;
    else stretches.push({ from: at, to: at + 1, isEqual });
  }
  return stretches;
}

/** What they said, did and saw; times and costs always differ. */
function isSame(a: Turn | undefined, b: Turn | undefined): boolean {
  if (!a || !b) return false;
  return a.thought === b.thought && a.action === b.action && a.observation === b.observation;
}
