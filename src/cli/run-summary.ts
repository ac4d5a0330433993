import { countText, durationText, plural, usdText } from "../core/number-text.ts";
import type { FailureGroup } from "../core/run.ts";
import type { Study } from "../core/study.ts";
import type { StudyResult } from "../launch/launch-study.ts";
import { printable, prose, styleFor } from "./terminal.ts";

const MOST_REASONS = 5;

/** What happened. */
export function printSummary({ summary, notes, ending, decision }: StudyResult, study: Study): void {
  const style = styleFor(process.stdout);
  for (const { text } of notes) console.log(style.dim(prose(text)));
  const parts = [
    `${countText(summary.ok)} ok`,
    summary.stoppedEarly > 0 && `${countText(summary.stoppedEarly)} stopped early`,
    summary.failed > 0 && style.red(`${countText(summary.failed)} failed`),
    summary.cancelled > 0 && `${countText(summary.cancelled)} cancelled`,
    summary.skipped > 0 && `${countText(summary.skipped)} done before`,
    summary.left > 0 && `${countText(summary.left)} left`,
  ].filter(Boolean);
  const cost = summary.costUsd > 0 ? `, ${usdText(summary.costUsd)}` : "";
  console.log(
    `${style.bold(study.name)}: ${parts.join(", ")} of ${plural(summary.total, "run")} in ${durationText(summary.wallMs)}${cost}`,
  );
  if (decision) console.log(style.bold(prose(printable(decision.sentence))));
  if (ending) console.log(`the search has ended: ${ending.why}`);
  if (summary.stopped) console.log(`stopped early (${summary.stopped}); ${resumeText(summary, study)}`);
}

/** How a study goes on that was stopped: money that is gone for good has to be raised. */
export function resumeText(
  { stopped, costUsd }: Pick<StudyResult["summary"], "stopped" | "costUsd">,
  { limits, search, isStamped }: Study,
): string {
  if (stopped !== "budget") return "the same command resumes it";
  const { costUsd: launchUsd, totalCostUsd } = limits;
  if (launchUsd === undefined && totalCostUsd === undefined)
    return "the same command resumes it, with as much time again";
  if (search || isStamped) return "raise the cost limit to resume it";
  if (costUsd >= (totalCostUsd ?? Number.POSITIVE_INFINITY)) return "raise limits.totalCostUsd to resume it";
  return "the same command resumes it with a new budget";
}

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
