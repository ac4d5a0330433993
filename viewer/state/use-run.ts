import { useEffect, useState } from "preact/hooks";
import type { RunView } from "../../src/reporters/study-view.ts";
import type { Source } from "../source/source.ts";
import type { Loaded } from "./use-loaded.ts";

const AGAIN_MS = 1500;

/**
 * One run in full. A served page asks for it again and again until it has ended: one that is under way grows, one
 * that is not there may be about to begin. What was there is shown while the server can't be heard.
 */
export function useRun(source: Source, study: string, run: string): Loaded<RunView | null> {
  const key = `${study}\n${run}`;
  const [state, setState] = useState<Loaded<RunView | null> & { key: string }>({
    ...{ key, data: undefined, error: null },
  });
  useEffect(() => {
    let isCurrent = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (loaded: Loaded<RunView | null>) =>
      setState((before) => (before.key === key && before.data && !loaded.data ? before : { key, ...loaded }));
    const ask = async () => {
      const loaded = await source.run(study, run).then(
        (data) => ({ data, error: null }),
        (problem: Error) => ({ data: undefined, error: problem.message }),
      );
      if (!isCurrent) return;
      show(loaded);
      const hasEnded = loaded.data ? loaded.data.outcome !== null : false;
      if (source.live && !hasEnded) timer = setTimeout(ask, AGAIN_MS);
    };
    ask();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [key, source]);
  return state.key === key ? state : { data: undefined, error: null };
}
