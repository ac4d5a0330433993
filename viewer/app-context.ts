import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Session, Source } from "./source/source.ts";
import type { Navigation } from "./state/use-route.ts";

export interface AppContext extends Navigation {
  source: Source;
  /** What the server lets this reader do; null in a file, or until it has answered. */
  session: Session | null;
}

export const Context = createContext<AppContext | null>(null);

export function useApp(): AppContext {
  return useContext(Context)!;
}
