import { type CodeToken, isName, tokenizeCode } from "./read-code.ts";
import { remember } from "./remember.ts";

/** Code that is nearly what a rule says. */
export interface Deviation {
  rule: string;
  /** The place in the code that should read as the rule does. */
  start: number;
  end: number;
  distance: number;
}

const MOST_DIFFERENT = 3;

/** Code in backticks on a page, where it says something that code can do: `total >= 100`, not `src/a.js` or `npm test`. */
export const readRules = remember((page: string): readonly string[] => {
  const spans = page.replaceAll(/```[\s\S]*?```/g, "").matchAll(/`([^`\n]+)`/g);
  return [...new Set([...spans].map(([, code]) => code!.trim()).filter(isRule))];
});

function isRule(code: string): boolean {
  const tokens = tokenizeCode(code);
  if (tokens.length < 3 || !tokens.some(({ text }) => isName(text))) return false;
  return /[<>=+*%?]|-\s|\s-|&&|\|\||\s\/\s/.test(code) || /^return\b|^if\b|\w\(.*\w.*\)/.test(code);
}

/**
 * The place in the code that is nearest to a rule which the code does not follow, by tokens that must be changed, added
 * or removed. Places that another rule describes exactly are left alone.
 */
export function findDeviation(code: string, rules: readonly string[]): Deviation | undefined {
  const tokens = tokenizeCode(code);
  const words = tokens.map(({ text }) => text);
  const taken = new Set<number>();
  const broken: string[][] = [];
  const brokenRules: string[] = [];
  for (const rule of rules) {
    const wanted = tokenizeCode(rule).map(({ text }) => text);
    const at = indexOf(words, wanted);
    if (at < 0) {
      broken.push(wanted);
      brokenRules.push(rule);
    } else for (let i = at; i < at + wanted.length; i++) taken.add(i);
  }
  let best: Deviation | undefined;
  for (const [i, wanted] of broken.entries()) {
    const found = nearestPlace(tokens, wanted, taken);
    if (found && (!best || found.distance < best.distance)) best = { rule: brokenRules[i]!, ...found };
  }
  return best ?? findOtherReturn(code, brokenRules, rules) ?? findMissingCase(code, brokenRules);
}

/** Where a page says what is returned, and one return of the code is on no page: that one is meant, however different. */
function findOtherReturn(
  code: string,
  broken: readonly string[],
  rules: readonly string[],
): Deviation | undefined {
  const rule = broken.find((text) => /^return\b/.test(text));
  const known = new Set(rules.map(withoutSpaces));
  const others = [...code.matchAll(/^[ \t]*(return\b[^;\n]*)/gm)].filter(
    ([, text]) => !known.has(withoutSpaces(text!)),
  );
  if (rule === undefined || others.length !== 1) return undefined;
  const [whole, text] = others[0]!;
  const end = others[0]!.index + whole.length;
  return { rule, start: end - text!.length, end, distance: MOST_DIFFERENT };
}

function withoutSpaces(code: string): string {
  return code.replaceAll(/\s/g, "");
}

/** A case (`if (...) return ...`) that nothing in the code resembles belongs before the last return. */
function findMissingCase(code: string, broken: readonly string[]): Deviation | undefined {
  const rule = broken.find((text) => /^if\s*\(.*\)\s*return\b/.test(text));
  const last = [...code.matchAll(/^([ \t]*)return\b/gm)].at(-1);
  if (rule === undefined || !last) return undefined;
  const indent = last[1]!;
  const start = last.index + indent.length;
  return { rule: `${rule};\n${indent}`, start, end: start, distance: MOST_DIFFERENT };
}

/** Where the rule stands word for word, and is not followed by the `- 1` of an error by one. */
function indexOf(words: readonly string[], wanted: readonly string[]): number {
  for (let at = 0; at + wanted.length <= words.length; at++)
    if (wanted.every((word, i) => words[at + i] === word) && !isOffByOne(words, at + wanted.length))
      return at;
  return -1;
}

function isOffByOne(words: readonly string[], next: number): boolean {
  return (words[next] === "-" || words[next] === "+") && words[next + 1] === "1";
}

/** Marks that end a statement or part lists: a place that takes one in would reach beyond its expression. */
const BOUNDS = new Set([";", "{", "}", ",", "return"]);

function nearestPlace(
  tokens: readonly CodeToken[],
  wanted: readonly string[],
  taken: ReadonlySet<number>,
): Omit<Deviation, "rule"> | undefined {
  const most = Math.min(MOST_DIFFERENT, Math.max(1, Math.floor(wanted.length * 0.4)));
  let best: Omit<Deviation, "rule"> | undefined;
  let bestScore = Number.POSITIVE_INFINITY;
  const longest = wanted.length + Math.max(most, 2);
  for (let at = 0; at < tokens.length; at++) {
    for (let length = Math.max(1, wanted.length - most); length <= longest; length++) {
      if (at + length > tokens.length) break;
      const part = tokens.slice(at, at + length);
      if (part.some(({ text }, i) => taken.has(at + i) || (BOUNDS.has(text) && !wanted.includes(text))))
        break;
      const isOneMore =
        length === wanted.length + 2 && startsWith(part, wanted) && isOffByOne(texts(part), wanted.length);
      const distance = isOneMore ? 1 : tokenDistance(part, wanted);
      // Changed words are likelier than missing ones.
      const score = isOneMore ? 1 : distance + 0.1 * Math.abs(length - wanted.length);
      if (distance === 0 || distance > most || score >= bestScore || !isBalanced(part)) continue;
      if (!part.some(({ text }) => isName(text) && wanted.includes(text))) continue;
      best = { start: part[0]!.start, end: part.at(-1)!.end, distance };
      bestScore = score;
    }
  }
  return best;
}

function texts(part: readonly CodeToken[]): string[] {
  return part.map(({ text }) => text);
}

function startsWith(part: readonly CodeToken[], wanted: readonly string[]): boolean {
  return wanted.every((word, i) => part[i]!.text === word);
}

function isBalanced(part: readonly CodeToken[]): boolean {
  let depth = 0;
  for (const { text } of part) {
    if (text === "(" || text === "[") depth++;
    if (text === ")" || text === "]") depth--;
    if (depth < 0) return false;
  }
  return depth === 0;
}

function tokenDistance(part: readonly CodeToken[], wanted: readonly string[]): number {
  let previous = Array.from({ length: wanted.length + 1 }, (_, j) => j);
  for (let i = 1; i <= part.length; i++) {
    const current = [i];
    for (let j = 1; j <= wanted.length; j++) {
      const change = part[i - 1]!.text === wanted[j - 1] ? 0 : 1;
      current.push(Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + change));
    }
    previous = current;
  }
  return previous[wanted.length]!;
}
