import { useEffect, useState } from "preact/hooks";

export interface Loaded<T> {
  data: T | undefined;
  error: string | null;
}

const AGAIN_MS = 2000;

/**
 * What a promise gives, asked for again when the key changes; what was there is shown until then. A server that
 * did not answer may do so later, so a served page (`isLive`) goes on asking; a file has what it has.
 */
export function useLoaded<T>(
  key: string,
  { isLive }: { isLive: boolean },
  load: () => Promise<T>,
): Loaded<T> {
  const [state, setState] = useState<Loaded<T> & { key: string }>({ key, data: undefined, error: null });
  useEffect(() => {
    let isCurrent = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = () => {
      load().then(
        (data) => isCurrent && setState({ key, data, error: null }),
        (problem: Error) => {
          if (!isCurrent) return;
          setState({ key, data: undefined, error: problem.message });
          if (isLive) timer = setTimeout(ask, AGAIN_MS);
        },
      );
    };
    ask();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [key]);
  return state.key === key ? state : { data: undefined, error: null };
}
