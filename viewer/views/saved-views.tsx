import { useState } from "preact/hooks";
import type { SavedView } from "../../src/core/note.ts";
import { useApp } from "../app-context.ts";
import { routeHash } from "../route.ts";
import { useNotes } from "../state/use-notes.ts";
import { visibleText } from "../text/visible-text.ts";

/** Views of this study that somebody gave a name, and room to name the one in sight. They stand in notes.jsonl. */
export function SavedViews({ views }: { views: readonly SavedView[] }) {
  const { route, source } = useApp();
  const { say, mayWrite } = useNotes({});
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<string | undefined>();
  if (views.length === 0 && !mayWrite) return null;
  // The same address works wherever the study lies: it begins behind the study's own place.
  const here = addressOf(routeHash({ ...route, study: "", run: "" }, { isLive: false }));
  const save = async (event: Event) => {
    event.preventDefault();
    if (name.trim() === "") return;
    const wrong = await say({ view: name.trim(), address: here });
    setProblem(wrong);
    if (wrong === undefined) setName("");
  };
  const base = source.live ? `#/study/${encodeURIComponent(route.study)}` : "#/";
  return (
    <details class="menu saved-views">
      <summary class="button">Views{views.length > 0 && <span class="count">{views.length}</span>}</summary>
      <div class="panel">
        {views.length === 0 && <p class="quiet-text">No view has a name yet.</p>}
        <ul class="lines">
          {views.map((view) => (
            <li key={view.name}>
              <a
                href={`${base}${view.address}`}
                aria-current={view.address === here ? "page" : undefined}
                title={`by ${view.by}`}
              >
                {visibleText(view.name)}
              </a>
              {mayWrite && (
                <button
                  type="button"
                  class="link"
                  aria-label={`Forget the view ${view.name}`}
                  onClick={async () => setProblem(await say({ view: view.name, address: null }))}
                >
                  forget
                </button>
              )}
            </li>
          ))}
        </ul>
        {mayWrite && (
          <form onSubmit={save}>
            <input
              type="text"
              aria-label="Name of this view"
              placeholder="Name this view"
              value={name}
              maxLength={200}
              onInput={(event) => setName(event.currentTarget.value)}
            />
            <button type="submit" class="button">
              Save
            </button>
          </form>
        )}
        {problem && (
          <p class="bad" role="alert">
            {problem}
          </p>
        )}
      </div>
    </details>
  );
}

/** What stands behind the study in its address. */
function addressOf(hash: string): string {
  return hash.replace(/^#\//, "");
}
