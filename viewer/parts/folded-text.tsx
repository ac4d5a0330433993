import { useState } from "preact/hooks";
import { countText } from "../../src/core/number-text.ts";
import { visibleText } from "../text/visible-text.ts";

const SHOWN_LINES = 12;
const SHOWN_CHARS = 1200;

/** A text as somebody's program wrote it; a long one shows its beginning until the reader asks for all. */
export function FoldedText({ text, label, kind }: { text: string; label: string; kind: string }) {
  const [isOpen, setOpen] = useState(false);
  const whole = visibleText(text).replace(/\n+$/, "");
  const beginning = whole.split("\n").slice(0, SHOWN_LINES).join("\n").slice(0, SHOWN_CHARS);
  const isLong = beginning.length < whole.length;
  return (
    <div class={`turn-text ${kind}`}>
      <p class="turn-label">{label}</p>
      <pre>{isOpen || !isLong ? whole : beginning}</pre>
      {isLong && (
        <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Show less" : `Show all ${lineCount(whole)}`}
        </button>
      )}
    </div>
  );
}

function lineCount(text: string): string {
  const lines = text.split("\n").length;
  return lines > SHOWN_LINES ? `${countText(lines)} lines` : `${countText(text.length)} characters`;
}
