import type { Deviation } from "./find-deviation.ts";
import type { Slips } from "./slips.ts";

interface Chance {
  slips: Slips;
  /** Edits before this one: each is a new chance to err. */
  tries: number;
}

/** Whole lines with the place in them replaced by the rule, long enough to stand in the file once. */
export function writeEdit(
  code: string,
  place: Deviation,
  { slips, tries }: Chance,
): { old: string; new: string } {
  const end = lineEnd(code, place.end);
  let start = lineStart(code, place.start);
  while (start > 0 && occursTwice(code, code.slice(start, end))) start = lineStart(code, start - 1);
  const old = code.slice(start, end);
  const key = `${place.rule} ${tries}`;
  const rule = slips.happens("wrong-fix", key) ? blunder(place.rule) : place.rule;
  const fixed = code.slice(start, place.start) + rule + code.slice(place.end, end);
  return { old: slips.happens("misquote", key) ? old.replace(/\S/, "") : old, new: fixed };
}

/** A fix that looks like one. */
function blunder(rule: string): string {
  if (/\d/.test(rule)) return rule.replace(/\d+/, (digits) => String(Number(digits) + 1));
  if (/[<>]=/.test(rule)) return rule.replace(/([<>])=/, "$1");
  return rule.replace(/[-+*<>]/, (sign) => ({ "-": "+", "+": "-", "*": "+", "<": ">", ">": "<" })[sign]!);
}

function lineStart(code: string, at: number): number {
  return code.lastIndexOf("\n", Math.max(0, at - 1)) + 1;
}

function lineEnd(code: string, at: number): number {
  const end = code.indexOf("\n", at);
  return end < 0 ? code.length : end;
}

function occursTwice(text: string, part: string): boolean {
  return text.indexOf(part) !== text.lastIndexOf(part);
}
