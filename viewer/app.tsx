import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type AppContext, Context } from "./app-context.ts";
import type { Source } from "./source/source.ts";
import { useKeys } from "./state/use-keys.ts";
import { useLoaded } from "./state/use-loaded.ts";
import { useRoute } from "./state/use-route.ts";
import { useTheme } from "./state/use-theme.ts";
import { ComparePage } from "./views/compare-page.tsx";
import { CompareRunsPage } from "./views/compare-runs-page.tsx";
import { FleetPage } from "./views/fleet-page.tsx";
import { HelpDialog } from "./views/help-dialog.tsx";
import { RunPage } from "./views/run-page.tsx";
import { StudyList } from "./views/study-list.tsx";
import { StudyPage } from "./views/study-page.tsx";

const PAGES = {
  list: StudyList,
  study: StudyPage,
  run: RunPage,
  compare: ComparePage,
  "compare-runs": CompareRunsPage,
  fleet: FleetPage,
};

const WIDE_TABS = ["runs", "tasks"];

const THEME_MARKS = { auto: "◐", light: "☀", dark: "☾" };

/** The whole page: a line at the top, and the view that the address names. */
export function App({ source }: { source: Source }) {
  const isLive = source.live !== null;
  const navigation = useRoute(isLive);
  const [theme, toggleTheme] = useTheme();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const session = useLoaded("", { isLive }, async () => source.live?.session()).data ?? null;
  const main = useRef<HTMLElement>(null);
  const { route, href, go } = navigation;

  useKeys({ go, isLive, toggleTheme, showHelp: () => setHelpOpen(true) });

  const page = source.comparison ? "compare" : route.page;
  const place = `${page}\n${route.study}\n${route.run}\n${route.query.tab ?? ""}`;
  const shown = useRef(place);
  useEffect(() => {
    if (shown.current === place) return;
    shown.current = place;
    scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [place]);
  useEffect(() => {
    const name = {
      list: "Studies",
      study: "",
      run: route.run,
      compare: "Two studies",
      "compare-runs": "Two runs",
      fleet: "Fleet",
    };
    document.title = [name[page] || document.querySelector("h1")?.textContent || route.study, "Assay"].join(
      " · ",
    );
  });

  const context = useMemo<AppContext>(
    () => ({ ...navigation, source, session }),
    [navigation, source, session],
  );
  const Page = PAGES[page];
  return (
    <Context.Provider value={context}>
      {/* A link would change the address, which holds the view. */}
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <header class="top">
        <a class="brand" href={isLive ? href({ page: "list" }) : href({ page: "study" })}>
          Assay
        </a>
        {isLive && page !== "list" && page !== "compare" && page !== "fleet" && (
          <a class="crumb" href={href({ page: "study" })}>
            {route.study}
          </a>
        )}
        <span class="grow" />
        {session?.hasFleet && (
          <a
            class="crumb"
            href={href({ page: "fleet" })}
            aria-current={page === "fleet" ? "page" : undefined}
          >
            Fleet
          </a>
        )}
        <button
          type="button"
          class="tool"
          aria-label={`Colours: ${theme}. Change`}
          title="Light or dark (t)"
          onClick={toggleTheme}
        >
          <span aria-hidden="true">{THEME_MARKS[theme]}</span>
        </button>
        <button
          type="button"
          class="tool"
          aria-label="Help and keys"
          title="Help (?)"
          onClick={() => setHelpOpen(true)}
        >
          <span aria-hidden="true">?</span>
        </button>
      </header>
      <main
        id="main"
        ref={main}
        tabIndex={-1}
        class={page === "study" && WIDE_TABS.includes(route.query.tab ?? "") ? "wide" : undefined}
      >
        <Page key={`${page}${route.study}${page === "run" ? route.run : ""}`} />
      </main>
      {isHelpOpen && <HelpDialog onClose={() => setHelpOpen(false)} />}
    </Context.Provider>
  );
}
