import { useEffect, useState } from "preact/hooks";
import type { RunView } from "../../src/reporters/study-view.ts";
import type { Source } from "../source/source.ts";
import { type Loaded, useLoaded } from "./use-loaded.ts";

const AGAIN_MS = 1500;

/** One run in full, asked for again and again while it is under way. */
export function useRun(source: Source, study: string, run: string): Loaded<RunView | null> {
  const { data, error } = useLoaded(`${study}\n${run}`, () => source.run(study, run));
  const [newer, setNewer] = useState<RunView | null>(null);
  const now = newer?.id === run && data ? newer : data;
  useEffect(() => {
    if (!now || now.outcome !== null) return;
    let isCurrent = true;
    const timer = setTimeout(
      () =>
        source.run(study, run).then(
          (next) => isCurrent && setNewer(next ?? { ...now }),
          // Between its end and its record, or while the server can't be heard: ask once more.
          () => isCurrent && setNewer({ ...now }),
        ),
      AGAIN_MS,
    );
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [now, source, study, run]);
  return { data: now, error };
}
