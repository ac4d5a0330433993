import { useLayoutEffect, useRef } from "preact/hooks";
import type { Route } from "../route.ts";

interface KeyActions {
  go: (to: Partial<Route>) => void;
  isLive: boolean;
  toggleTheme: () => void;
  showHelp: () => void;
}

/** Keys that work everywhere but in fields. */
export function useKeys(actions: KeyActions): void {
  const now = useRef(actions);
  now.current = actions;
  // Before the first drawing is seen: whoever presses a key on it is heard.
  useLayoutEffect(() => {
    let isAfterG = false;
    const hear = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const field = (event.target as Element).closest?.("input, select, textarea, dialog");
      if (field) {
        if (event.key === "Escape" && field instanceof HTMLInputElement) field.blur();
        return;
      }
      const wasAfterG = isAfterG;
      isAfterG = event.key === "g";
      const { go, isLive, toggleTheme, showHelp } = now.current;
      const places: Record<string, Partial<Route>> = {
        o: { page: "study" },
        c: { page: "study", query: { tab: "charts" } },
        r: { page: "study", query: { tab: "runs" } },
        t: { page: "study", query: { tab: "tasks" } },
        ...(isLive ? { s: { page: "list" } } : {}),
      };
      if (wasAfterG && Object.hasOwn(places, event.key)) go(places[event.key]!);
      else if (event.key === "/") {
        event.preventDefault();
        document.querySelector<HTMLInputElement>("[data-search]")?.focus();
      } else if (event.key === "?") showHelp();
      else if (event.key === "t") toggleTheme();
      else if (["n", "p", "1", "2", "3"].includes(event.key))
        document.querySelector<HTMLElement>(`[data-key="${event.key}"]`)?.click();
    };
    addEventListener("keydown", hear);
    return () => removeEventListener("keydown", hear);
  }, []);
}
