/** A word of code and where it stands in its text. */
export interface CodeToken {
  text: string;
  start: number;
  end: number;
}

const TOKEN =
  /[A-Za-z_$][\w$]*|\d+(?:\.\d+)?|"[^"\n]{0,80}"|'[^'\n]{0,80}'|[<>=!]==?|=>|\.\.\.|[<>]|&&|\|\||\*\*|[-+*/%]=|\S/g;
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)(?:\/\/|#\s).*$/gm;

/** Splits code of whatever language; comments are left out, places stay. */
export function tokenizeCode(code: string): CodeToken[] {
  const bare = code.replaceAll(COMMENT, (comment) => comment.replaceAll(/[^\n]/g, " "));
  return [...bare.matchAll(TOKEN)].map((found) => ({
    text: found[0],
    start: found.index,
    end: found.index + found[0].length,
  }));
}

export function isName(text: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(text);
}
