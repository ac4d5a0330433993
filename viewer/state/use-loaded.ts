import { useEffect, useState } from "preact/hooks";

export interface Loaded<T> {
  data: T | undefined;
  error: string | null;
}

/** What a promise gives, asked for again when the key changes; what was there is shown until then. */
export function useLoaded<T>(key: string, load: () => Promise<T>): Loaded<T> {
  const [state, setState] = useState<Loaded<T> & { key: string }>({ key, data: undefined, error: null });
  useEffect(() => {
    let isCurrent = true;
    load().then(
      (data) => isCurrent && setState({ key, data, error: null }),
      (problem: Error) => isCurrent && setState({ key, data: undefined, error: problem.message }),
    );
    return () => {
      isCurrent = false;
    };
  }, [key]);
  return state.key === key ? state : { data: undefined, error: null };
}
