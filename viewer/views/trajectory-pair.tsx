import { useMemo, useState } from "preact/hooks";
import type { Turn } from "../../src/core/trajectory.ts";
import type { TrajectoryView } from "../../src/reporters/study-view.ts";
import { useApp } from "../app-context.ts";
import { ChartFigure } from "../charts/chart-figure.tsx";
import { turnChart } from "../charts/turn-chart.ts";
import { Facts } from "../parts/facts.tsx";
import { stretchesOf } from "../text/equal-turns.ts";
import { trajectoryFacts } from "../text/turn-facts.ts";
import { TrajectoryChooser } from "./trajectory-chooser.tsx";
import { TrajectoryTurn } from "./trajectory-turn.tsx";
import { Left } from "./transcript-reader.tsx";

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
  const stretches = useMemo(() => stretchesOf(a.turns, b.turns, rows), [a, b, rows]);
  return (
    <>
      <details class="about">
        <summary>About these transcripts</summary>
        <div class="turn-pair">
          <Facts facts={trajectoryFacts(a)} />
          <Facts facts={trajectoryFacts(b)} />
        </div>
        {chart && (
          <div class="charts">
            <ChartFigure chart={chart} />
          </div>
        )}
      </details>
      {stretches.map(({ from, to, isEqual }) =>
        isEqual ? (
          <Equal key={from} from={from} to={to} turns={a.turns} />
        ) : (
          Array.from({ length: to - from }, (_, i) => <Pair key={from + i} at={from + i} a={a} b={b} />)
        ),
      )}
      {[a, b].map(({ turns, leftTurns, file }) => {
        const left = leftTurns + Math.max(0, turns.length - rows);
        return left > 0 && <Left key={file} count={left} file={file} />;
      })}
    </>
  );
}

/** Turns that both took alike, folded: the first that is open is where they part. */
function Equal({ from, to, turns }: { from: number; to: number; turns: readonly Turn[] }) {
  const [isOpen, setOpen] = useState(false);
  const numbers = to - from === 1 ? `Turn ${from + 1} is` : `Turns ${from + 1} to ${to} are`;
  return (
    <details class="equal" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{numbers} equal in both</summary>
      {isOpen &&
        turns
          .slice(from, to)
          .map((turn) => (
            <TrajectoryTurn key={turn.number} turn={turn} headingId={`turn-AB-${turn.number}`} />
          ))}
    </details>
  );
}

function Pair({ at, a, b }: { at: number; a: TrajectoryView; b: TrajectoryView }) {
  return (
    <div class="turn-pair">
      {[a, b].map(({ turns }, side) => {
        const turn = turns[at];
        const name = side === 0 ? "A" : "B";
        return turn ? (
          <TrajectoryTurn key={name} turn={turn} headingId={`turn-${name}-${at + 1}`} />
        ) : (
          <p key={name} class="empty">
            {name} had ended.
          </p>
        );
      })}
    </div>
  );
}
