import { durationText, usdText } from "../../src/core/number-text.ts";
import type { RunView } from "../../src/reporters/study-view.ts";
import { momentText } from "../text/time-text.ts";
import { StatusText } from "./state-badge.tsx";

/** How a run ended, or that it is under way, and how long it took. */
export function OutcomeLine({ run, isShort = false }: { run: RunView; isShort?: boolean }) {
  const { outcome } = run;
  return (
    <>
      <p class="outcome">
        <StatusText status={statusOf(run)} />
        {outcome?.owner && <span>owner: {outcome.owner}</span>}
        {outcome?.exitCode !== undefined && !isShort && <span>exit code {outcome.exitCode}</span>}
        <span>{outcome ? durationText(run.wallMs) : `for ${durationText(run.wallMs)}`}</span>
        {!isShort && (
          <span>{outcome ? momentText(run.startedAtMs) : `since ${momentText(run.startedAtMs)}`}</span>
        )}
        {run.costUsd !== null && !isShort && <span>{usdText(run.costUsd)}</span>}
        {run.attempt > 1 && !isShort && <span>attempt {run.attempt}</span>}
      </p>
      {outcome?.reason && <p class="reason-block">{outcome.reason}</p>}
    </>
  );
}

/** Of a try at a task people want to know whether it solved it, not that it ran to its end. */
function statusOf({ outcome, isSolved }: RunView): string {
  if (!outcome) return "running";
  if (outcome.status !== "ok" || isSolved === undefined || isSolved === null) return outcome.status;
  return isSolved ? "solved" : "not solved";
}
