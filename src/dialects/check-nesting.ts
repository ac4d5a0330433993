import { type Place, UserError } from "../core/errors.ts";

const DEEPEST = 100;

/**
 * Refuses brackets or block lists nested deeper than any study needs, before a parser recurses into them.
 * Quoted text and comments are passed over, in the coarse way that is enough for a bound.
 */
export function checkNesting(path: string, text: string): void {
  let depth = 0;
  let line = 1;
  let lineStart = 0;
  let quote = "";
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!;
    if (character === "\n") {
      line++;
      lineStart = i + 1;
      quote = "";
      if (blockDepth(text, i + 1) > DEEPEST) refuse(path, { line, column: 1 });
    } else if (quote) {
      if (character === "\\" && quote === '"') i++;
      else if (character === quote) quote = "";
    } else if (character === '"' || character === "'") {
      quote = opensQuote(text[i - 1]) ? character : "";
    } else if (character === "#" && (i === lineStart || text[i - 1] === " ")) {
      const end = text.indexOf("\n", i);
      i = (end < 0 ? text.length : end) - 1;
    } else if (character === "[" || character === "{") {
      if (++depth > DEEPEST) refuse(path, { line, column: i - lineStart + 1 });
    } else if (character === "]" || character === "}") depth = Math.max(0, depth - 1);
  }
  if (blockDepth(text, 0) > DEEPEST) refuse(path, { line: 1, column: 1 });
}

/** How many block lists open on one line (`- - - -`), or how far it is indented, two spaces a level. */
function blockDepth(text: string, start: number): number {
  let dashes = 0;
  let i = start;
  for (; text[i] === " " || (text[i] === "-" && text[i + 1] === " "); i++) if (text[i] === "-") dashes++;
  return text[i] === "#" || text[i] === "\n" ? 0 : Math.max(dashes, (i - start) / 4);
}

function opensQuote(before: string | undefined): boolean {
  return before === undefined || " \t\n,[{:=".includes(before);
}

function refuse(file: string, at: { line: number; column: number }): never {
  throw tooDeep({ file, ...at });
}

export function tooDeep(place: Place): UserError {
  return new UserError("the file is nested too deeply", {
    place,
    expected: `at most ${DEEPEST} levels`,
    got: "more",
  });
}
