export interface ShellStep {
  words: string[];
  /** What stands before it. */
  after: "" | "&&" | "||" | ";" | "|";
  /** Its output goes to the next one. */
  isPiped: boolean;
}

const TOKEN = /\s*(?:(&&|\|\||;|\||\n)|((?:2>&1|[^\s;&|<>"'`$\\()]|\\.|'[^']*'|"(?:[^"\\$`]|\\.)*"|\$$)+))/y;

/** A command line taken apart; a text that says why it can't be. */
export function shellWords(line: string): ShellStep[] | string {
  const steps: ShellStep[] = [];
  let current: ShellStep = { words: [], after: "", isPiped: false };
  const text = line.trim();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (!match)
      return `this sandbox does not understand ${JSON.stringify(text.slice(at).trim().slice(0, 20))}`;
    const [, operator, word] = match;
    if (word !== undefined) {
      if (word !== "2>&1") current.words.push(unquote(word));
      continue;
    }
    const after = (operator === "\n" ? ";" : operator) as ShellStep["after"];
    if (current.words.length === 0) return `syntax error near ${operator}`;
    steps.push({ ...current, isPiped: after === "|" });
    current = { words: [], after, isPiped: false };
  }
  if (current.words.length > 0) steps.push(current);
  return steps;
}

function unquote(word: string): string {
  return word.replaceAll(
    /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g,
    (_, single?: string, double?: string, escaped?: string) =>
      single ?? double?.replaceAll(/\\(["\\$`])/g, "$1") ?? escaped ?? "",
  );
}
