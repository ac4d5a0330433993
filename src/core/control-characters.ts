/** What steers a terminal or turns the order of what is read around: controls, and marks of direction. Not tab and newline. */
const STEERING = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const STEERING_OR_BREAK = new RegExp(`${STEERING.source}|[\\t\\n]`, "g");

/** A text whose characters all stand for themselves; lines stay lines. */
export function withoutControls(text: string): string {
  return text.replaceAll(STEERING, "\ufffd");
}

/** The same on one line: for names. */
export function onOneLine(text: string): string {
  return text.replaceAll(STEERING_OR_BREAK, "\ufffd");
}
