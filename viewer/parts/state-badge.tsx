import type { StudyCard } from "../../src/reporters/study-view.ts";

const TONES: Record<StudyCard["state"], string> = {
  running: "accent",
  paused: "warn",
  stopping: "warn",
  done: "good",
  stopped: "quiet",
  failed: "bad",
};

/** Where a study stands; one that is over says how many of its runs failed. */
export function StateBadge({ card: { state, counts } }: { card: StudyCard }) {
  const hasGood = counts.ok + counts.stopped > 0;
  const failed = hasGood ? "done, some failed" : "all failed";
  return <span class={`badge ${TONES[state]}`}>{state === "failed" ? failed : state}</span>;
}

const STATUS_TONES = new Map([
  ["ok", "good"],
  ["solved", "good"],
  ["not solved", "warn"],
  ["running", "accent"],
  ["failed", "bad"],
  ["timeout", "bad"],
  ["cancelled", "warn"],
]);

/** How a run ended; the word says it, the colour only helps. */
export function StatusText({ status }: { status: string }) {
  return <span class={`status ${STATUS_TONES.get(status) ?? "quiet"}`}>{status || "unknown"}</span>;
}
