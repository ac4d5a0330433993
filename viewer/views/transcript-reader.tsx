import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Note } from "../../src/core/note.ts";
import { countText } from "../../src/core/number-text.ts";
import type { TrajectoryView } from "../../src/reporters/study-view.ts";
import { useApp } from "../app-context.ts";
import { ChartFigure } from "../charts/chart-figure.tsx";
import { turnChart } from "../charts/turn-chart.ts";
import { Facts } from "../parts/facts.tsx";
import { FoldedText } from "../parts/folded-text.tsx";
import { SearchBox } from "../parts/search-box.tsx";
import { useFeed } from "../state/use-feed.ts";
import { trajectoryFacts } from "../text/turn-facts.ts";
import { outlineOf } from "../text/turn-outline.ts";
import { SearchAll } from "./search-all.tsx";
import { TrajectoryChooser } from "./trajectory-chooser.tsx";
import { TrajectoryTurn } from "./trajectory-turn.tsx";

/** What the run's agent did, turn by turn; where it worked on several instances, on the one that is chosen. */
export function TranscriptReader({ shown, left }: { shown: readonly TrajectoryView[]; left: number }) {
  const { route } = useApp();
  const trajectory = shown.find(({ file }) => file === route.query.of) ?? shown[0]!;
  return (
    <>
      <TrajectoryChooser shown={shown} left={left} chosen={trajectory.file} />
      <OneTrajectory key={trajectory.file} trajectory={trajectory} isOnly={shown.length + left === 1} />
    </>
  );
}

/** An outline that stays in sight, and beside it the turns. */
function OneTrajectory({ trajectory, isOnly }: { trajectory: TrajectoryView; isOnly: boolean }) {
  const { route, source, adjust } = useApp();
  const { turn: wanted = "", find = "" } = route.query;
  const chart = useMemo(() => turnChart([{ name: "this run", trajectory }]), [trajectory]);
  const given = trajectory.opening?.filter(({ kind }) => kind === "task") ?? [];
  const found = useMemo(() => turnsWith(trajectory, find), [trajectory, find]);
  const { notes } = useFeed(source, route.study).notes;
  const noted = useMemo(() => notedTurns(notes, route.run, trajectory.file), [notes, route.run, trajectory]);
  const goTo = (number: number) => {
    adjust({ turn: String(number) });
    document.getElementById(`turn-${number}`)?.scrollIntoView({ block: "start" });
  };
  useTurnKeys(trajectory, goTo);
  const drawn = useDrawnTurns(trajectory.turns.length, wanted);
  const isWhole = drawn >= trajectory.turns.length;
  useEffect(() => {
    if (isWhole && wanted !== "")
      document.getElementById(`turn-${wanted}`)?.scrollIntoView({ block: "start" });
  }, [isWhole]);
  return (
    <div class="reader">
      <div class="outline">
        <SearchBox
          label="Search this run"
          value={find}
          placeholder="Search this run"
          onChange={(text) => adjust({ find: text })}
        />
        {find !== "" && (
          <p class="quiet-text" role="status">
            {found.size === 0
              ? "No turn has it."
              : `${countText(found.size)} of ${countText(trajectory.turns.length)} turns`}
          </p>
        )}
        {find !== "" && source.live && <SearchAll text={find} />}
        <Outline
          trajectory={trajectory}
          found={find === "" ? null : found}
          here={wanted}
          noted={noted}
          goTo={goTo}
        />
      </div>
      <div class="trajectory">
        <h2 class="unseen">Turns</h2>
        <details class="about">
          <summary>About this transcript</summary>
          <div class="columns">
            <Facts facts={trajectoryFacts(trajectory)} />
            {chart && <ChartFigure chart={chart} />}
          </div>
        </details>
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
        {trajectory.turns.length === 0 && <p class="empty">The agent took no turn.</p>}
        {trajectory.turns.slice(0, drawn).map((turn) => (
          <TrajectoryTurn
            key={turn.number}
            turn={turn}
            headingId={`turn-${turn.number}`}
            trajectory={trajectory}
            subject={{ run: route.run, turn: turn.number, ...(isOnly ? {} : { file: trajectory.file }) }}
          />
        ))}
        {trajectory.leftTurns > 0 && isWhole && <Left count={trajectory.leftTurns} file={trajectory.file} />}
        {trajectory.submission !== null && isWhole && (
          <FoldedText
            text={trajectory.submission.trim() === "" ? "(empty)" : trajectory.submission}
            label="Submitted"
            kind="output"
          />
        )}
      </div>
    </div>
  );
}

/** The first screen need not wait for turns that are far below it; further ones follow between frames. */
const FIRST_TURNS = 12;
const MORE_TURNS = 40;

/** How many turns are drawn so far: all of them at once where one is asked for. */
function useDrawnTurns(count: number, wanted: string): number {
  const [drawn, setDrawn] = useState(wanted === "" ? FIRST_TURNS : count);
  useEffect(() => {
    if (drawn >= count) return undefined;
    // After the frame that shows what there is.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setDrawn(wanted === "" ? drawn + MORE_TURNS : count), 0);
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [drawn, count, wanted]);
  return Math.min(drawn, count);
}

interface OutlineProps {
  trajectory: TrajectoryView;
  /** Turns that a search has found; null where nobody searches. */
  found: ReadonlySet<number> | null;
  here: string;
  /** Turns that somebody wrote a note on. */
  noted: ReadonlySet<number>;
  goTo: (turn: number) => void;
}

function Outline({ trajectory, found, here, noted, goTo }: OutlineProps) {
  const entries = useMemo(() => trajectory.turns.map(outlineOf), [trajectory]);
  const most = Math.max(1, ...entries.map(({ tokens }) => tokens));
  return (
    <nav aria-label="Turns">
      <ol>
        {trajectory.turns.map(({ number, context }, i) => {
          const { tool, isError, tokens } = entries[i]!;
          if (found && !found.has(number)) return null;
          return (
            <li key={number}>
              <button
                type="button"
                aria-current={here === String(number) ? "true" : undefined}
                onClick={() => goTo(number)}
              >
                <span class="turn-number">
                  <span class="unseen">Turn </span>
                  {number}{" "}
                </span>
                <span class="tool-name">{tool} </span>
                <span class={isError ? "mark bad" : "mark"}>
                  <span aria-hidden="true">
                    {isError ? "!" : context?.checkpoint !== undefined ? "≡" : ""}
                  </span>
                  {isError && <span class="unseen">error </span>}
                  {noted.has(number) && (
                    <>
                      <span aria-hidden="true">✎</span>
                      <span class="unseen">noted </span>
                    </>
                  )}
                </span>
                <span class="tokens">
                  {tokens > 0 && <span class="unseen">{countText(tokens)} tokens in</span>}
                  <span class="bar" style={{ width: `${(100 * tokens) / most}%` }} />
                </span>
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

/** j and k go from turn to turn. */
function useTurnKeys({ turns }: TrajectoryView, goTo: (turn: number) => void): void {
  const { route } = useApp();
  const [here, go] = [useRef(""), useRef(goTo)];
  here.current = route.query.turn ?? "";
  go.current = goTo;
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !["j", "k"].includes(event.key)) return;
      if ((event.target as Element).closest?.("input, select, textarea, dialog")) return;
      const at = turns.findIndex(({ number }) => String(number) === here.current);
      const next = turns[at + (event.key === "j" ? 1 : -1)];
      if (next) go.current(next.number);
    };
    addEventListener("keydown", hear);
    return () => removeEventListener("keydown", hear);
  }, [turns]);
}

function notedTurns(notes: readonly Note[], run: string, file: string): Set<number> {
  const ofThis = notes.filter((note) => note.run === run && (note.file ?? file) === file);
  return new Set(ofThis.flatMap(({ turn }) => turn ?? []));
}

/** The turns in which every word stands. */
function turnsWith({ turns }: TrajectoryView, text: string): Set<number> {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return new Set(
    turns.flatMap(({ number, thought, action, observation, context }) => {
      const whole = [thought, action, observation, context?.checkpoint].join("\n").toLowerCase();
      return words.every((word) => whole.includes(word)) ? [number] : [];
    }),
  );
}

export function Left({ count, file }: { count: number; file: string }) {
  return (
    <p class="quiet-text">
      {countText(count)} more turns had no room on this page; they are in <span class="mono">{file}</span>.
    </p>
  );
}
