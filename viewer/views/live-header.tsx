import { useState } from "preact/hooks";
import { durationText } from "../../src/core/number-text.ts";
import type { StudyCard } from "../../src/reporters/study-view.ts";
import { useApp } from "../app-context.ts";
import { Progress } from "../parts/progress.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import type { Order } from "../source/source.ts";
import { useNow } from "../state/use-now.ts";

const MOST_RUNNING = 8;

/** How far a study is while it is looked at, and what can be asked of its runner. */
export function LiveHeader({ card, isShort }: { card: StudyCard; isShort: boolean }) {
  const { source, session, href } = useApp();
  const [told, setTold] = useState<string | null>(null);
  const isOn = card.state === "running" || card.state === "paused" || card.state === "stopping";
  const mayControl = session?.canControl === true && card.canControl;
  const order: GiveOrder = (action, rest = {}) => {
    setTold(null);
    source.live
      ?.control({ study: card.id, action, ...rest })
      .catch((problem: Error) => setTold(problem.message));
  };
  return (
    <section class="live" aria-label="Progress">
      <div class="live-line">
        <StateBadge card={card} />
        <Progress card={card} />
        {mayControl && <Controls card={card} order={order} />}
      </div>
      {told && (
        <p class="bad" role="alert">
          {told}
        </p>
      )}
      {isOn && !isShort && (card.running.length > 0 || card.newestFailures.length > 0) && (
        <div class="columns">
          <section aria-label="Running now">
            <h2>Running now</h2>
            {card.running.length === 0 && <p class="quiet-text">None right now.</p>}
            <RunningList card={card} {...(mayControl ? { order } : {})} />
          </section>
          <section aria-label="Newest failures">
            <h2>Newest failures</h2>
            {card.newestFailures.length === 0 && <p class="quiet-text">None so far.</p>}
            <ul class="lines">
              {byReason(card.newestFailures).map(({ reason, ids }) => (
                <li key={reason}>
                  <span class="reason" title={reason}>
                    {ids.length > 1 && <b>{ids.length} × </b>}
                    {reason}
                  </span>
                  <a class="mono" href={href({ page: "run", study: card.id, run: ids[0]! })}>
                    {ids[0]}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        </div>
      )}
    </section>
  );
}

/** The newest failures, one line per reason, each with its newest run. */
function byReason(failures: StudyCard["newestFailures"]): { reason: string; ids: string[] }[] {
  const reasons = new Map<string, string[]>();
  for (const { id, reason } of failures.toSorted((a, b) => b.atMs - a.atMs))
    reasons.set(reason, [...(reasons.get(reason) ?? []), id]);
  return [...reasons].map(([reason, ids]) => ({ reason, ids })).slice(0, 5);
}

type GiveOrder = (action: Order["action"], rest?: Omit<Order, "study" | "action">) => void;

function RunningList({ card, order }: { card: StudyCard; order?: GiveOrder }) {
  const { href } = useApp();
  const now = useNow();
  const [isWhole, setWhole] = useState(false);
  return (
    <ul class="lines">
      {card.running.slice(0, isWhole ? undefined : MOST_RUNNING).map(({ id, sinceMs }) => (
        <li key={id}>
          <a class="mono" title={id} href={href({ page: "run", study: card.id, run: id })}>
            {id}
          </a>
          <span class="elapsed">{durationText(now - sinceMs)}</span>
          {order && (
            <button
              type="button"
              class="link"
              aria-label={`Cancel run ${id}`}
              onClick={() => order("cancel", { run: id })}
            >
              cancel
            </button>
          )}
        </li>
      ))}
      {card.running.length > MOST_RUNNING && (
        <li>
          <button type="button" class="link" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? "show fewer" : `and ${card.running.length - MOST_RUNNING} more`}
          </button>
        </li>
      )}
    </ul>
  );
}

/** Pause, resume and cancel; what can't be undone is asked twice. */
function Controls({ card, order }: { card: StudyCard; order: GiveOrder }) {
  const { state, jobs, costLimitUsd } = card;
  const [isSure, setSure] = useState(false);
  if (state !== "running" && state !== "paused") return null;
  const cancel = () => {
    if (isSure) order("cancel");
    setSure(!isSure);
  };
  return (
    <div class="controls">
      {jobs > 0 && (
        <Amount label="Jobs" value={jobs} step={1} onChange={(value) => order("adjust", { jobs: value })} />
      )}
      <Amount
        label="Budget, USD"
        value={costLimitUsd}
        step="any"
        onChange={(value) => order("adjust", { costUsd: value })}
      />
      {state === "running" ? (
        <button type="button" class="button" onClick={() => order("pause")}>
          Pause
        </button>
      ) : (
        <button type="button" class="button" onClick={() => order("resume")}>
          Resume
        </button>
      )}
      <button type="button" class="button danger" onClick={cancel} onBlur={() => setSure(false)}>
        {isSure ? "Really cancel?" : "Cancel"}
      </button>
    </div>
  );
}

interface AmountProps {
  label: string;
  value: number | null;
  step: number | "any";
  onChange: (value: number) => void;
}

/** A number of the running study that takes effect when it is entered. */
function Amount({ label, value, step, onChange }: AmountProps) {
  return (
    <label class="field amount">
      {label}
      <input
        type="number"
        min={step === 1 ? 1 : 0}
        step={step}
        value={value ?? ""}
        placeholder="none"
        onChange={(event) => {
          const next = event.currentTarget.valueAsNumber;
          if (next > 0 && (step !== 1 || Number.isInteger(next)) && next !== value) onChange(next);
        }}
      />
    </label>
  );
}
