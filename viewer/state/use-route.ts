import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { parseRoute, type Route, routeHash } from "../route.ts";

export interface Navigation {
  route: Route;
  /** The address of a view. */
  href(to: Partial<Route>): string;
  go(to: Partial<Route>): void;
  /** Changes parts of this view's state in place: no new entry in the history. */
  adjust(query: Record<string, string>): void;
}

/** Follows the address; whatever is left out of `to` is as here, but for the query, which starts empty. */
export function useRoute(isLive: boolean): Navigation {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = () => setHash(location.hash);
    addEventListener("hashchange", follow);
    follow(); // it may have changed between the first drawing and now
    return () => removeEventListener("hashchange", follow);
  }, []);
  const route = useMemo(() => parseRoute(hash, { isLive }), [hash, isLive]);
  const href = useCallback(
    (to: Partial<Route>) => routeHash({ ...route, query: {}, ...to }, { isLive }),
    [route, isLive],
  );
  const go = useCallback(
    (to: Partial<Route>) => {
      location.hash = href(to);
    },
    [href],
  );
  const adjust = useCallback(
    (query: Record<string, string>) => {
      const now = parseRoute(location.hash, { isLive });
      const next = routeHash({ ...now, query: { ...now.query, ...query } }, { isLive });
      try {
        history.replaceState(null, "", next);
        setHash(next);
      } catch {
        location.hash = next;
      }
    },
    [isLive],
  );
  return { route, href, go, adjust };
}
