import { useEffect, useRef } from "preact/hooks";
import type { StudyView } from "../../src/reporters/study-view.ts";
import { useApp } from "../app-context.ts";

type Shown = Pick<StudyView, "answer" | "counts">;

/**
 * Says that somebody has seen an answer: when it first stands in a tab that is in sight, when its verdict changes there,
 * and, when the reader leaves, the last one that was shown. A page that follows a study shows a new number with every
 * run; to count each of them would be to count events, not looks.
 */
export function useLook(study: string, shown: Shown | undefined): void {
  const { source } = useApp();
  const seen = useRef<{ runs: number; verdict: string } | null>(null);
  const told = useRef({ runs: 0, verdict: "" });
  const tell = () => {
    if (!seen.current || seen.current.runs === told.current.runs) return;
    told.current = seen.current;
    source.live?.look(study, seen.current.runs).catch(() => {
      // Then this look is not counted; the reader came for something else.
    });
  };
  const look = () => {
    const { answer, counts } = shown ?? {};
    if (!answer || !counts || document.visibilityState !== "visible") return;
    const runs = counts.ok + counts.stopped + counts.failed + counts.cancelled;
    seen.current = { runs, verdict: answer.verdict };
    if (answer.verdict !== told.current.verdict) tell();
  };
  useEffect(look);
  const now = useRef(look);
  now.current = look;
  useEffect(() => {
    const turn = () => (document.visibilityState === "visible" ? now.current() : tell());
    document.addEventListener("visibilitychange", turn);
    return () => {
      document.removeEventListener("visibilitychange", turn);
      tell();
    };
  }, []);
}
