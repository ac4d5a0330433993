export type Operator = "=" | "!=" | ">" | ">=" | "<" | "<=" | "~" | "!~";

/** One condition of a filter; all of them must hold. */
export type Clause =
  | { kind: "word"; text: string }
  /** Any of the values is enough; with != and !~ none may match. */
  | { kind: "column"; name: string; operator: Operator; values: string[] };

const OPERATOR = /(!=|>=|<=|!~|=|>|<|~)/y;
const NAME = /"((?:[^"\\]|\\.)*)"|([^\s=!<>~"]+)/y;
const VALUE = /"((?:[^"\\]|\\.)*)"|([^\s,"]*)/y;

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
    const name = take(NAME);
    if (!name) {
      at++; // an operator or a quote that belongs to nothing: the reader is still typing
      continue;
    }
    const word = wordOf(name);
    const operator = take(OPERATOR)?.[1] as Operator | undefined;
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

function wordOf([, quoted, plain]: RegExpExecArray): string {
  return quoted !== undefined ? quoted.replaceAll(/\\(.)/gs, "$1") : (plain ?? "");
}

/** A name or value as the filter wants it written. */
export function filterWord(text: string): string {
  return /^[^\s=!<>~",*]+$/.test(text) ? text : `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
}
