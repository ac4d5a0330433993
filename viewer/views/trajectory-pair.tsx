import { useMemo } from "preact/hooks";
import type { TrajectoryView } from "../../src/reporters/study-view.ts";
import { useApp } from "../app-context.ts";
import { ChartFigure } from "../charts/chart-figure.tsx";
import { turnChart } from "../charts/turn-chart.ts";
import { Facts } from "../parts/facts.tsx";
import { trajectoryFacts } from "../text/turn-facts.ts";
import { TrajectoryChooser } from "./trajectory-chooser.tsx";
import { Left } from "./trajectory-tab.tsx";
import { TrajectoryTurn } from "./trajectory-turn.tsx";

const FIRST_TURNS = 200;

/** Two runs' agents side by side, on an instance that both had. */
export function TrajectoryPair({ a, b }: { a: readonly TrajectoryView[]; b: readonly TrajectoryView[] }) {
  const { route } = useApp();
  const both = a.filter((one) => b.some(({ instance }) => instance === one.instance));
  const first = both.find(({ file }) => file === route.query.of) ?? both[0];
  const second = b.find(({ instance }) => instance === first?.instance);
  if (!first || !second) return null;
  return (
    <section class="trajectory" aria-labelledby="trajectories-title">
      <h2 id="trajectories-title">What the agents did</h2>
      <TrajectoryChooser shown={both} left={0} chosen={first.file} />
      <SideBySide key={first.file} a={first} b={second} />
    </section>
  );
}

/** Each turn beside the other's of the same number. */
function SideBySide({ a, b }: { a: TrajectoryView; b: TrajectoryView }) {
  const chart = useMemo(
    () =>
      turnChart([
        { name: "A", trajectory: a },
        { name: "B", trajectory: b },
      ]),
    [a, b],
  );
  const rows = Math.min(FIRST_TURNS, Math.max(a.turns.length, b.turns.length));
  return (
    <>
      {chart && (
        <div class="charts">
          <ChartFigure chart={chart} />
        </div>
      )}
      <div class="turn-pair">
        <Facts facts={trajectoryFacts(a)} />
        <Facts facts={trajectoryFacts(b)} />
      </div>
      {Array.from({ length: rows }, (_, i) => (
        <div key={i} class="turn-pair">
          {[a, b].map(({ turns }, side) => {
            const turn = turns[i];
            const name = side === 0 ? "A" : "B";
            return turn ? (
              <TrajectoryTurn key={name} turn={turn} headingId={`turn-${name}-${i + 1}`} />
            ) : (
              <p key={name} class="empty">
                {name} had ended.
              </p>
            );
          })}
        </div>
      ))}
      {[a, b].map(({ turns, leftTurns, file }) => {
        const left = leftTurns + Math.max(0, turns.length - rows);
        return left > 0 && <Left key={file} count={left} file={file} />;
      })}
    </>
  );
}
