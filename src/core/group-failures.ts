import type { Outcome } from "./run.ts";

/** Failed runs with one reason. */
export interface FailureGroup {
  owner: string;
  /** Of the first of them; numbers in it may differ in the others. */
  reason: string;
  count: number;
  /** The first few. */
  ids: string[];
}

const MOST_IDS = 5;

/** What texts have in common that tell of one thing: a line of code fails at step 17 and at step 18. */
export function likeness(text: string): string {
  return text.replaceAll(/0x[\da-f]+|\d+/gi, "#");
}

/** Failures that give the same reason, however many runs have it: the most frequent first. */
export function groupFailures(failures: Iterable<{ id: string; outcome: Outcome }>): FailureGroup[] {
  const groups = new Map<string, FailureGroup>();
  for (const { id, outcome } of failures) {
    const owner = outcome.owner ?? outcome.status;
    const reason = outcome.reason ?? outcome.status;
    // Another exit code is another reason.
    const key = [owner, outcome.exitCode, likeness(reason)].join();
    const group = groups.get(key) ?? { owner, reason, count: 0, ids: [] };
    group.count++;
    if (group.ids.length < MOST_IDS) group.ids.push(id);
    groups.set(key, group);
  }
  return [...groups.values()].sort((a, b) => b.count - a.count);
}
