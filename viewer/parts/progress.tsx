import { countText, durationText, numberText, usdText } from "../../src/core/number-text.ts";
import type { StudyCard } from "../../src/reporters/study-view.ts";
import { useApp } from "../app-context.ts";
import { useNow } from "../state/use-now.ts";
import { FAILED } from "../table/parse-filter.ts";

/** How far a study is: a bar of what is good, failed and running, and the same in words. */
export function Progress({ card }: { card: StudyCard }) {
  const { href } = useApp();
  const { total, ok, stopped, failed, cancelled, running } = card.counts;
  const ended = ok + stopped + failed + cancelled;
  const share = (count: number) => ({ width: `${(100 * count) / Math.max(1, total)}%` });
  return (
    <div class="progress">
      <div
        class="bar"
        role="progressbar"
        aria-label={`progress of ${card.name}`}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={ended}
        aria-valuetext={`${ended} of ${total} runs ended`}
      >
        <span class="ok" style={share(ok + stopped)} />
        <span class="failed" style={share(failed)} />
        <span class="cancelled" style={share(cancelled)} />
        <span class="running" style={share(running)} />
      </div>
      <p class="numbers">
        <span>
          <b>{countText(ended)}</b> of {countText(total)} ended
        </span>
        {running > 0 && <span>{running} running</span>}
        {failed > 0 && (
          <a
            class="bad"
            href={href({ page: "study", study: card.id, query: { tab: "runs", filter: FAILED } })}
          >
            {countText(failed)} failed
          </a>
        )}
        {cancelled > 0 && <span>{cancelled} cancelled</span>}
        {card.perSecond !== null && card.perSecond > 0 && <span>{rateText(card.perSecond)}</span>}
        {running + Number(card.state === "paused") > 0 && card.startedAtMs !== null && (
          <Elapsed sinceMs={card.startedAtMs} />
        )}
        {card.etaMs !== null && <span>{durationText(card.etaMs)} left</span>}
        {card.costUsd > 0 && <span>{usdText(card.costUsd)}</span>}
      </p>
    </div>
  );
}

function Elapsed({ sinceMs }: { sinceMs: number }) {
  return <span>for {durationText(useNow() - sinceMs)}</span>;
}

function rateText(perSecond: number): string {
  if (perSecond >= 1) return `${numberText(perSecond, 3)} runs/s`;
  if (perSecond * 60 >= 1) return `${numberText(perSecond * 60, 3)} runs/min`;
  return `${numberText(perSecond * 3600, 3)} runs/h`;
}
