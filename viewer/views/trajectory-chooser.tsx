import type { TrajectoryView } from "../../src/reporters/study-view.ts";
import { useApp } from "../app-context.ts";

interface ChooserProps {
  shown: readonly TrajectoryView[];
  /** Trajectories that had no room on the page. */
  left: number;
  chosen: string;
}

/** Which of a run's trajectories is shown; nothing where there is one. */
export function TrajectoryChooser({ shown, left, chosen }: ChooserProps) {
  const { adjust } = useApp();
  if (shown.length + left < 2) return null;
  return (
    <p class="turn-chooser">
      <label>
        Instance{" "}
        <select value={chosen} onChange={(event) => adjust({ of: event.currentTarget.value })}>
          {shown.map(({ file, instance, exitStatus, isResolved }) => (
            <option key={file} value={file}>
              {[
                instance ?? file,
                exitStatus,
                isResolved === undefined ? null : isResolved ? "solved" : "not solved",
              ]
                .filter(Boolean)
                .join(" · ")}
            </option>
          ))}
        </select>
      </label>
      {left > 0 && <span class="quiet-text"> {left} more are in the run's folder.</span>}
    </p>
  );
}
