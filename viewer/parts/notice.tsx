import type { ComponentChildren } from "preact";

/** What a view says when it has nothing to show, and what to do. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty-state">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

export function Problem({ text }: { text: string }) {
  return (
    <div class="problem" role="alert">
      {text}
    </div>
  );
}

/** Shown only when an answer takes long enough to be noticed. */
export function Waiting() {
  return (
    <p class="waiting" role="status">
      Reading …
    </p>
  );
}
