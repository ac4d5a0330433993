import { useMemo } from "preact/hooks";
import { countText } from "../../src/core/number-text.ts";
import type { TrajectoryView } from "../../src/reporters/study-view.ts";
import { useApp } from "../app-context.ts";
import { ChartFigure } from "../charts/chart-figure.tsx";
import { turnChart } from "../charts/turn-chart.ts";
import { Facts } from "../parts/facts.tsx";
import { FoldedText } from "../parts/folded-text.tsx";
import { trajectoryFacts } from "../text/turn-facts.ts";
import { TrajectoryChooser } from "./trajectory-chooser.tsx";
import { TrajectoryTurn } from "./trajectory-turn.tsx";

/** What the run's agent did, turn by turn; where it worked on several instances, on the one that is chosen. */
export function TrajectoryTab({ shown, left }: { shown: readonly TrajectoryView[]; left: number }) {
  const { route } = useApp();
  const trajectory = shown.find(({ file }) => file === route.query.of) ?? shown[0]!;
  return (
    <>
      <TrajectoryChooser shown={shown} left={left} chosen={trajectory.file} />
      <OneTrajectory key={trajectory.file} trajectory={trajectory} />
    </>
  );
}

function OneTrajectory({ trajectory }: { trajectory: TrajectoryView }) {
  const chart = useMemo(() => turnChart([{ name: "this run", trajectory }]), [trajectory]);
  const given = trajectory.opening?.filter(({ kind }) => kind === "task") ?? [];
  return (
    <div class="trajectory">
      <div class="columns">
        <Facts facts={trajectoryFacts(trajectory)} />
        {chart && <ChartFigure chart={chart} />}
      </div>
      {given.map(({ text }) => (
        <FoldedText key={text} text={text} label="Task" kind="thought" />
      ))}
      {trajectory.summaries?.map((text) => (
        <FoldedText
          key={text}
          text={text}
          label="Checkpoint (the file doesn't say where)"
          kind="checkpoint"
        />
      ))}
      <h2>
        Turns <span class="count">{countText(trajectory.turns.length + trajectory.leftTurns)}</span>
      </h2>
      {trajectory.turns.length === 0 && <p class="empty">The agent took no turn.</p>}
      {trajectory.turns.map((turn) => (
        <TrajectoryTurn key={turn.number} turn={turn} headingId={`turn-${turn.number}`} />
      ))}
      {trajectory.leftTurns > 0 && <Left count={trajectory.leftTurns} file={trajectory.file} />}
      {trajectory.submission !== null && (
        <FoldedText
          text={trajectory.submission.trim() === "" ? "(empty)" : trajectory.submission}
          label="Submitted"
          kind="output"
        />
      )}
    </div>
  );
}

export function Left({ count, file }: { count: number; file: string }) {
  return (
    <p class="quiet-text">
      {countText(count)} more turns had no room on this page; they are in <span class="mono">{file}</span>.
    </p>
  );
}
