export type Operator = "=" | "!=" | ">" | ">=" | "<" | "<=" | "~" | "!~";

/** One condition of a filter; all of them must hold. */
export type Clause =
  | { kind: "word"; text: string }
  /** Any of the values is enough; with != and !~ none may match. */
  | { kind: "column"; name: string; operator: Operator; values: string[] };

/** The runs that ended badly. */
export const FAILED = "status=failed,timeout";

const OPERATOR = /(!=|>=|<=|!~|==?|>|<|~)/y;
/** As in expressions of the command line, `policy == 'full'`: with space around, which then belongs to it. */
const SPACED = /\s+(!=|>=|<=|==?|>|<)\s+(?=\S)/y;
const NAME = /"((?:[^"\\]|\\.)*)"|([^\s=!<>~"]+)/y;
const VALUE = /"((?:[^"\\]|\\.)*)"|'([^']*)'(?=[\s,]|$)|([^\s,"]*)/y;
const AND = /(?:and|&&)(?=\s)/y;

/** `policy=full,fifo status!=ok makespan_ms>3000 late`: conditions on columns, and words to look for anywhere. */
export function parseFilter(text: string): Clause[] {
  const clauses: Clause[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) at = pattern.lastIndex;
    return match;
  };
  while (at < text.length) {
    if (/\s/.test(text[at]!)) {
      at++;
      continue;
    }
    if (clauses.at(-1)?.kind === "column" && take(AND)) continue;
    const name = take(NAME);
    if (!name) {
      at++; // an operator or a quote that belongs to nothing: the reader is still typing
      continue;
    }
    const word = wordOf(name);
    const operator = operatorOf(take(OPERATOR) ?? take(SPACED));
    if (operator === undefined) {
      clauses.push({ kind: "word", text: word });
      continue;
    }
    const values = [wordOf(take(VALUE)!)];
    while (text[at] === ",") {
      at++;
      values.push(wordOf(take(VALUE)!));
    }
    clauses.push({ kind: "column", name: word, operator, values });
  }
  return clauses;
}

function operatorOf(match: RegExpExecArray | null): Operator | undefined {
  return match?.[1] === "==" ? "=" : (match?.[1] as Operator | undefined);
}

function wordOf([, quoted, ...plain]: RegExpExecArray): string {
  return quoted !== undefined
    ? quoted.replaceAll(/\\(.)/gs, "$1")
    : (plain.find((text) => text !== undefined) ?? "");
}

/** A name or value as the filter wants it written. */
export function filterWord(text: string): string {
  return /^[^\s=!<>~",*]+$/.test(text) ? text : `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
}
