import { remember } from "./remember.ts";

const TOKEN =
  /[A-Za-z_$][\w$]*|\d+(?:\.\d+)?|"[^"\n]{0,80}"|'[^'\n]{0,80}'|[<>=!]==?|=>|\.\.\.|[<>]|&&|\|\||\*\*|[-+*/%]=|\S/g;
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)(?:\/\/|#\s).*$/gm;

const WORDS = new Set(
  "if for while switch return function def class const let var else elif print printf echo len range str int float assert test expect require import export from catch typeof new not and or in is do then fi done local sprintf substr split length toString push map filter join slice".split(
    " ",
  ),
);

/** Whether a line of code is where a name gets its meaning. */
export function isDefinition(line: string, name: string): boolean {
  return line.includes(name) && definitionOf(name).test(line);
}

/** Compiled once a name: every line of every page is asked. */
const definitionOf = remember((name: string) => {
  const own = name.replaceAll("$", "\\$");
  return new RegExp(
    `\\b(?:function|def|class|const|let|var|func|fn|type)\\s+${own}\\b|^\\s*(?:export\\s+|readonly\\s+|local\\s+)?${own}\\s*(?:=(?!=)|\\(\\s*\\)\\s*\\{|:\\s)|^\\s*(?:static\\s+|async\\s+)*${own}\\s*\\([^)]*\\)\\s*\\{`,
  );
});

/** Names that get their meaning in a piece of code. */
export function namesDefined(code: string): string[] {
  const names = code.split("\n").flatMap((line) => {
    const found = /\b(?:function|def|const|let|var)\s+([\w$]+)|^([\w$]+)\s*(?:=|\(\s*\)\s*\{)/.exec(line);
    return found ? [(found[1] ?? found[2])!] : [];
  });
  return [...new Set(names)];
}

/** Where in a file a definition stands: from its line to the next line that is indented as little. */
export function findBody(code: string, name: string): { start: number; end: number } | undefined {
  const lines = code.split("\n");
  const first = lines.findIndex((line) => isDefinition(line, name));
  if (first < 0) return undefined;
  const depth = indent(lines[first]!);
  let last = first;
  if (/[{(:]\s*$|\bthen\s*$/.test(lines[first]!)) {
    for (let i = first + 1; i < lines.length; i++) {
      const line = lines[i]!;
      if (line.trim() === "") continue;
      const isCloser = /^\s*[})\]]/.test(line);
      if (indent(line) <= depth && !isCloser) break;
      last = i;
      if (indent(line) <= depth) break;
    }
  }
  const start = lines.slice(0, first).join("\n").length + (first > 0 ? 1 : 0);
  return { start, end: start + lines.slice(first, last + 1).join("\n").length };
}

/** Names that a piece of code leads on to: what it calls, and constants in capitals. */
export function namesUsed(code: string, own: string): string[] {
  const tokens = tokenizeCode(code);
  const names = tokens.filter(({ text }, i) => {
    if (!isName(text) || text === own || WORDS.has(text) || tokens[i - 1]?.text === ".") return false;
    return tokens[i + 1]?.text === "(" || /^[A-Z][A-Z0-9_]{2,}$/.test(text);
  });
  return [...new Set(names.map(({ text }) => text))];
}

const FAILED = /\bFAIL(?:ED|URE)?\b|\bnot ok\b|\w*Error\b|✗|✖|\bfailed:/;

/** What a run of tests says: whether all is well, and else which functions the failing lines name. */
export const readTestOutput = remember(
  (output: string): { isPassing: boolean; failing: string[] } | undefined => {
    const lines = output
      .split("\n")
      .filter((line) => FAILED.test(line) && !/\b0 (?:failed|failures)\b/i.test(line));
    if (lines.length === 0)
      return /\bpass(?:ed|es)?\b|\bok\b|success/i.test(output) ? { isPassing: true, failing: [] } : undefined;
    const names = lines.flatMap((line) => {
      const called = [...line.matchAll(/([A-Za-z_$][\w$]*)\s*\(/g)].map(([, name]) => name!);
      const quoted = [...line.matchAll(/`([A-Za-z_$][\w$]*)`/g)].map(([, name]) => name!);
      const titled = /(?:FAIL(?:ED)?:?|not ok(?: \d+)?(?: -)?|✗|✖)\s+([A-Za-z_$][\w$]*)(?=\s*(?::|$))/.exec(
        line,
      )?.[1];
      return [...(titled ? [titled] : []), ...called, ...quoted].filter(
        (name) => !WORDS.has(name) && !/Error$|^expected$|^got$/.test(name),
      );
    });
    return { isPassing: false, failing: [...new Set(names)] };
  },
);

function indent(line: string): number {
  return line.length - line.trimStart().length;
}

/** A word of code and where it stands in its text. */
export interface CodeToken {
  text: string;
  start: number;
  end: number;
}

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
