import { UserError } from "./errors.ts";

export type Token = { start: number; end: number } & (
  | { kind: "value"; text: ""; value: string | number | boolean | null }
  | { kind: "name" | "operator"; text: string }
);

const PATTERN =
  /(?<space>\s+)|(?<number>(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?)|(?<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?<name>[A-Za-z_]\w*(?:[-.][A-Za-z_]\w*)*)|(?<operator>\|\||&&|[=!<>]=|[-+*/%<>!()[\],])/y;

const CONSTANTS: Record<string, boolean | null> = { true: true, false: false, null: null };

/** Splits the text of a condition. `a-b` is a name, `a - b` and `a-1` are differences. */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  PATTERN.lastIndex = 0;
  while (PATTERN.lastIndex < source.length) {
    const start = PATTERN.lastIndex;
    const match = PATTERN.exec(source);
    if (!match) {
      throw new UserError(`in "${source}" at column ${start + 1}`, {
        expected: "a name, a value or an operator",
        got: JSON.stringify(source[start]),
        remedy: source[start] === "=" ? "Write == to compare." : "Strings stand in quotes.",
      });
    }
    const end = PATTERN.lastIndex;
    const { number, string, name, operator } = match.groups!;
    if (number !== undefined) tokens.push({ kind: "value", text: "", value: Number(number), start, end });
    else if (string !== undefined) {
      const value = string.slice(1, -1).replaceAll(/\\(.)/gs, "$1");
      tokens.push({ kind: "value", text: "", value, start, end });
    } else if (name !== undefined && Object.hasOwn(CONSTANTS, name)) {
      tokens.push({ kind: "value", text: "", value: CONSTANTS[name]!, start, end });
    } else if (name !== undefined) tokens.push({ kind: "name", text: name, start, end });
    else if (operator !== undefined) tokens.push({ kind: "operator", text: operator, start, end });
  }
  return tokens;
}
