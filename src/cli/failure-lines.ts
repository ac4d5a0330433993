import { countText, plural } from "../core/number-text.ts";
import type { FailureGroup } from "../core/run.ts";
import { printable } from "./terminal.ts";

const MOST_REASONS = 5;

/** Why runs failed: one line per reason, with a run to look at. */
export function failureLines(failures: readonly FailureGroup[]): string[] {
  const lines = failures
    .slice(0, MOST_REASONS)
    .flatMap(({ owner, reason, count, ids }) => [
      `  ${count === 1 ? "1 run" : `${countText(count)} runs`} failed (${owner}): ${printable(reason)}`,
      `      assay show ${ids[0]}`,
    ]);
  const more = failures.length - MOST_REASONS;
  return more > 0 ? [...lines, `  and ${plural(more, "further reason")}`] : lines;
}
