import { useState } from "preact/hooks";

/** Copies a text. A page opened from disk may have no clipboard; then the old way does. */
function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const [isDone, setDone] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    setDone(true);
    setTimeout(() => setDone(false), 1500);
  };
  return (
    <button type="button" class="copy" onClick={copy} aria-label={`${label}: ${text}`}>
      <span aria-live="polite">{isDone ? "Copied" : "Copy"}</span>
    </button>
  );
}

/** A command to type, ready to take along. */
export function Command({ text }: { text: string }) {
  return (
    <div class="command">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <code tabIndex={0}>{text}</code>
      <CopyButton text={text} label="Copy command" />
    </div>
  );
}
