import type { Turn } from "../../src/core/trajectory.ts";
import { FoldedText } from "../parts/folded-text.tsx";
import { actionText } from "../text/action-text.ts";
import { turnFacts } from "../text/turn-facts.ts";

/** One turn: what the strategy did before it, what the agent thought and did, what came back, what that took. */
export function TrajectoryTurn({ turn, headingId }: { turn: Turn; headingId: string }) {
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
    </article>
  );
}
