/** Terminal commands: colours, titles, cursor movements, and the strings that some of them carry. */
const ESCAPES =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]*[0-~]/g;
/** Everything else that no text needs: control codes, marks that turn or hide text, halves of characters. */
const UNWANTED =
  /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * A tool's output as the model may see it: no codes, and no longer than `most` characters. Whatever it says stays text
 * in its own message: it can't end that message, and it can't look like another one.
 */
export function cleanOutput(text: string, most: number): string {
  // Nothing that is cut off anyway need be cleaned; cleaning only shortens.
  const isHuge = text.length > 4 * most;
  const parts = isHuge ? [text.slice(0, 2 * most), text.slice(-2 * most)] : [text];
  const clean = parts.map((part) =>
    part.replaceAll("\r\n", "\n").replaceAll(ESCAPES, "").replaceAll("\r", "\n").replaceAll(UNWANTED, ""),
  );
  const whole = clean.join("");
  if (!isHuge && whole.length <= most) return whole;
  const half = Math.floor(most / 2);
  const head = wellFormed(clean[0]!.slice(0, half));
  const tail = wellFormed(clean.at(-1)!.slice(-half));
  const omitted = text.length - head.length - tail.length;
  return `${head}\n(${omitted} characters omitted)\n${tail}`;
}

/** A cut may go through a character. */
function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, "").replace(/^[\udc00-\udfff]/, "");
}
