import { useMemo } from "preact/hooks";
import { countText } from "../../src/core/number-text.ts";
import { parseDiff } from "../text/parse-diff.ts";
import { visibleText } from "../text/visible-text.ts";

/** A patch as people read one: by file, lines numbered, what came and went marked. */
export function DiffView({ text, label }: { text: string; label: string }) {
  const files = useMemo(() => parseDiff(text), [text]);
  if (text.trim() === "") return <p class="empty">The patch is empty.</p>;
  return (
    <>
      {files.map((file, i) => (
        <section key={`${i} ${file.name}`} class="diff" aria-label={`Patch of ${file.name || label}`}>
          <h2>
            <span class="mono">{visibleText(file.name || label)}</span>
            <span class="good">+{countText(file.added)}</span>
            <span class="bad">−{countText(file.removed)}</span>
          </h2>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <pre tabIndex={0}>
            {file.lines.map(({ kind, text: line, from, to }) => (
              <span class={`line ${kind}`}>
                <span class="line-number" aria-hidden="true">
                  {from ?? ""}
                </span>
                <span class="line-number" aria-hidden="true">
                  {to ?? ""}
                </span>
                {visibleText(line)}
                {"\n"}
              </span>
            ))}
          </pre>
        </section>
      ))}
    </>
  );
}
