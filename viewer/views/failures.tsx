import { countText } from "../../src/core/number-text.ts";
import type { StudyView } from "../../src/reporters/study-view.ts";
import { useApp } from "../app-context.ts";

const SHOWN = 5;

/** Whose fault the failed runs are, each with its reason. */
export function Failures({ view: { failures } }: { view: StudyView }) {
  const { href } = useApp();
  if (failures.length === 0) return null;
  return (
    <section aria-labelledby="failures-title">
      <h2 id="failures-title">Failures by owner</h2>
      <div class="failures">
        {failures.map(({ owner, count, runs }) => (
          <section key={owner} aria-label={`Failures: ${owner}`}>
            <h3>
              <a href={href({ page: "study", query: { tab: "runs", filter: `owner=${owner} status!=ok` } })}>
                {owner}
              </a>{" "}
              <span class="count">{countText(count)}</span>
            </h3>
            <ul>
              {runs.slice(0, SHOWN).map(({ id, reason }) => (
                <li key={id}>
                  <a class="mono" href={href({ page: "run", run: id })}>
                    {id}
                  </a>
                  <span class="reason">{reason}</span>
                </li>
              ))}
            </ul>
            {count > Math.min(SHOWN, runs.length) && (
              <p class="more">and {countText(count - Math.min(SHOWN, runs.length))} more</p>
            )}
          </section>
        ))}
      </div>
    </section>
  );
}
