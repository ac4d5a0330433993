import { useState } from "preact/hooks";
import type { Subject } from "../../src/core/note.ts";
import type { Trajectory, Turn } from "../../src/core/trajectory.ts";
import { FoldedText } from "../parts/folded-text.tsx";
import { useNotes } from "../state/use-notes.ts";
import { actionText } from "../text/action-text.ts";
import { promptAt } from "../text/prompt-at.ts";
import { turnFacts } from "../text/turn-facts.ts";
import { NotePanel } from "./note-panel.tsx";

interface TurnProps {
  turn: Turn;
  headingId: string;
  /** Where it is from: then the prompt that it was made of can be asked for. */
  trajectory?: Pick<Trajectory, "opening" | "turns">;
  /** Where notes on it go; absent where several runs stand side by side. */
  subject?: Subject;
}

/** One turn: what the strategy did before it, what the agent thought and did, what came back, what that took. */
export function TrajectoryTurn({ turn, headingId, trajectory, subject }: TurnProps) {
  const { thought, action, observation, context } = turn;
  return (
    <article class="turn" aria-labelledby={headingId}>
      {context?.checkpoint !== undefined && (
        <FoldedText
          text={context.checkpoint}
          label="Checkpoint: older turns became this summary"
          kind="checkpoint"
        />
      )}
      <header>
        <h3 id={headingId}>Turn {turn.number}</h3>
        {context?.masked !== undefined && context.masked > 0 && (
          <span class="badge warn">
            {context.masked} old {context.masked === 1 ? "output" : "outputs"} masked
          </span>
        )}
        {context?.checkpoint !== undefined && <span class="badge accent">checkpoint</span>}
        {subject && <TurnNotes subject={subject} turn={turn.number} />}
        <span class="turn-facts">{turnFacts(turn).join(" · ")}</span>
      </header>
      {thought !== null && thought.trim() !== "" && (
        <FoldedText text={thought} label="Thought" kind="thought" />
      )}
      {action !== null && action.trim() !== "" && (
        <FoldedText text={actionText(action)} label="Command" kind="action" />
      )}
      {observation !== null && (
        <FoldedText text={observation === "" ? "(nothing)" : observation} label="Output" kind="output" />
      )}
      {trajectory && <PromptAt trajectory={trajectory} number={turn.number} />}
    </article>
  );
}

/** Notes on a turn are few: the fields open when somebody asks for them. */
function TurnNotes({ subject, turn }: { subject: Subject; turn: number }) {
  const { notes, mayWrite } = useNotes(subject);
  const [isOpen, setOpen] = useState(false);
  if (isOpen || notes.length > 0) return <NotePanel subject={subject} label={`Notes on turn ${turn}`} />;
  if (!mayWrite) return null;
  return (
    <button type="button" class="link turn-note" onClick={() => setOpen(true)}>
      Note<span class="unseen"> on turn {turn}</span>
    </button>
  );
}

const STATES = { in: "", out: "taken out", summed: "summarised, unless among the last that were kept" };

/** The prompt as it was sent, with what was taken out of it marked; long ones are put together when asked for. */
function PromptAt({
  trajectory,
  number,
}: {
  trajectory: Pick<Trajectory, "opening" | "turns">;
  number: number;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="prompt" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Prompt as sent at turn {number}</summary>
      {isOpen &&
        promptAt(trajectory, number).map(({ label, text, state }, i) => (
          <div key={`${i} ${label}`} class={state === "in" ? "part" : "part gone"}>
            <FoldedText
              text={text}
              label={state === "in" ? label : `${label} (${STATES[state]})`}
              kind={label === "summary" ? "checkpoint" : "output"}
            />
          </div>
        ))}
    </details>
  );
}
