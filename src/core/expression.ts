import { UserError } from "./errors.ts";
import { sameValue, type Value } from "./params.ts";
import { suggestion } from "./suggest.ts";

/** Names that a condition may read beside the parameters. */
export const RUN_NAMES = ["variant", "seed", "repeat", "task"];

type Scope = Record<string, Value | undefined>;
type Node = (scope: Scope) => Value | undefined;

/** A condition over parameters, parsed once and called often. */
export interface Expression {
  source: string;
  /** The names that it reads. */
  names: ReadonlySet<string>;
  holds(scope: Scope): boolean;
}

/**
 * Parses a condition such as `policy == 'full' && workflows in [50, 100]`. The language has numbers, strings,
 * lists, names (also dotted), `|| && !` (or the words `or and not`), comparisons, `in`, arithmetic and
 * `has(name)`. It calls nothing else, so a study file can't run code. A parameter that is absent equals null
 * and is neither smaller nor larger than anything.
 */
export function parseExpression(source: string, known?: Iterable<string>): Expression {
  const parser = new Parser(source);
  const node = parser.parse();
  if (known) {
    const all = new Set(known);
    for (const name of parser.names) {
      if (!all.has(name) && !all.has(name.split(".")[0]!)) {
        throw new UserError(`"${source}" names the unknown parameter "${name}"`, {
          remedy: suggestion(name, all),
        });
      }
    }
  }
  return { source, names: parser.names, holds: (scope) => truthy(node(scope)) };
}

const COMPARISONS: Record<string, (a: Value | undefined, b: Value | undefined) => boolean> = {
  "==": (a, b) => sameValue(a ?? null, b ?? null),
  "!=": (a, b) => !sameValue(a ?? null, b ?? null),
  "<": (a, b) => comparable(a, b) && a! < b!,
  "<=": (a, b) => comparable(a, b) && a! <= b!,
  ">": (a, b) => comparable(a, b) && a! > b!,
  ">=": (a, b) => comparable(a, b) && a! >= b!,
};

const ARITHMETIC: Record<string, { power: number; apply(a: number, b: number): number }> = {
  "+": { power: 1, apply: (a, b) => a + b },
  "-": { power: 1, apply: (a, b) => a - b },
  "*": { power: 2, apply: (a, b) => a * b },
  "/": { power: 2, apply: (a, b) => a / b },
  "%": { power: 2, apply: (a, b) => a % b },
};

const DEEPEST = 100;

class Parser {
  readonly names = new Set<string>();
  readonly #source: string;
  readonly #tokens: Token[];
  #at = 0;
  #depth = 0;

  constructor(source: string) {
    this.#source = source;
    this.#tokens = tokenize(source);
  }

  parse(): Node {
    const node = this.#either();
    if (this.#at < this.#tokens.length) this.#fail("an operator or the end");
    return node;
  }

  #either(): Node {
    const terms = [this.#both()];
    while (this.#take("||") || this.#take("or")) terms.push(this.#both());
    return terms.length === 1 ? terms[0]! : (scope) => terms.some((term) => truthy(term(scope)));
  }

  #both(): Node {
    const terms = [this.#negation()];
    while (this.#take("&&") || this.#take("and")) terms.push(this.#negation());
    return terms.length === 1 ? terms[0]! : (scope) => terms.every((term) => truthy(term(scope)));
  }

  #negation(): Node {
    let inverted = false;
    while (this.#take("!") || this.#take("not")) inverted = !inverted;
    const inner = this.#comparison();
    return inverted ? (scope) => !truthy(inner(scope)) : inner;
  }

  #comparison(): Node {
    const left = this.#sum(1);
    const operator = this.#tokens[this.#at];
    if (operator?.kind === "operator" && operator.text in COMPARISONS) {
      this.#at++;
      const compare = COMPARISONS[operator.text]!;
      const right = this.#sum(1);
      return (scope) => compare(left(scope), right(scope));
    }
    if (this.#take("in")) {
      const list = this.#sum(1);
      return (scope) => {
        const [value, items] = [left(scope) ?? null, list(scope)];
        return Array.isArray(items) && items.some((item) => sameValue(item, value));
      };
    }
    return left;
  }

  #sum(power: number): Node {
    const operand = () => (power === 2 ? this.#unary() : this.#sum(power + 1));
    const first = operand();
    const steps: { apply(a: number, b: number): number; node: Node }[] = [];
    for (;;) {
      const operator = this.#tokens[this.#at];
      const arithmetic = operator?.kind === "operator" ? ARITHMETIC[operator.text] : undefined;
      if (arithmetic?.power !== power) break;
      this.#at++;
      steps.push({ apply: arithmetic.apply, node: operand() });
    }
    if (steps.length === 0) return first;
    return (scope) => {
      let left = first(scope);
      for (const { apply, node } of steps) {
        const right = node(scope);
        left = typeof left === "number" && typeof right === "number" ? apply(left, right) : null;
      }
      return left;
    };
  }

  /** Whatever nests passes through here. */
  #unary(): Node {
    if (++this.#depth > DEEPEST) this.#fail(`at most ${DEEPEST} nested parentheses, lists or signs`);
    const node = this.#take("-") ? negative(this.#unary()) : this.#primary();
    this.#depth--;
    return node;
  }

  #primary(): Node {
    const token = this.#tokens[this.#at];
    if (!token) return this.#fail("a value");
    this.#at++;
    if (token.kind === "value") {
      const { value } = token;
      return () => value;
    }
    if (token.text === "(") {
      const inner = this.#either();
      this.#expect(")");
      return inner;
    }
    if (token.text === "[") return this.#list();
    if (token.kind !== "name") {
      this.#at--;
      return this.#fail("a value");
    }
    if (token.text === "has" && this.#take("(")) {
      const name = this.#tokens[this.#at];
      if (name?.kind !== "name") return this.#fail("a name");
      this.#at++;
      this.#expect(")");
      const read = this.#read(name.text);
      return (scope) => read(scope) !== undefined;
    }
    return this.#read(token.text);
  }

  #list(): Node {
    const items: Node[] = [];
    const namesBefore = this.names.size;
    while (!this.#take("]")) {
      items.push(this.#sum(1));
      if (!this.#take(",") && this.#tokens[this.#at]?.text !== "]") this.#fail('"," or "]"');
    }
    const evaluate = (scope: Scope) => items.map((item) => item(scope) ?? null);
    if (this.names.size > namesBefore) return evaluate;
    const constant = evaluate({});
    return () => constant;
  }

  #read(name: string): Node {
    this.names.add(name);
    const parts = name.split(".");
    if (parts.length === 1) return (scope) => (Object.hasOwn(scope, name) ? scope[name] : undefined);
    return (scope) => {
      if (Object.hasOwn(scope, name)) return scope[name];
      let value: unknown = scope;
      for (const part of parts) {
        if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
        value = (value as Record<string, unknown>)[part];
      }
      return value as Value;
    };
  }

  #take(text: string): boolean {
    const token = this.#tokens[this.#at];
    if (token?.text !== text || token.kind === "value") return false;
    this.#at++;
    return true;
  }

  #expect(text: string): void {
    if (!this.#take(text)) this.#fail(`"${text}"`);
  }

  #fail(expected: string): never {
    const token = this.#tokens[this.#at];
    const column = (token?.start ?? this.#source.length) + 1;
    throw new UserError(`in "${this.#source}" at column ${column}`, {
      expected,
      got: token ? `"${this.#source.slice(token.start, token.end)}"` : "the end",
    });
  }
}

function negative(inner: Node): Node {
  return (scope) => {
    const value = inner(scope);
    return typeof value === "number" ? -value : null;
  };
}

function comparable(a: Value | undefined, b: Value | undefined): boolean {
  return typeof a === typeof b && (typeof a === "number" || typeof a === "string");
}

function truthy(value: Value | undefined): boolean {
  return value !== false && value !== null && value !== undefined && value !== 0 && value !== "";
}

export type Token = { start: number; end: number } & (
  | { kind: "value"; text: ""; value: string | number | boolean | null }
  | { kind: "name" | "operator"; text: string }
);

const PATTERN =
  /(?<space>\s+)|(?<number>(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?)|(?<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?<name>[A-Za-z_]\w*(?:[-.][A-Za-z_]\w*)*)|(?<operator>\|\||&&|[=!<>]=|[-+*/%<>!()[\],])/y;

const CONSTANTS: Record<string, boolean | null> = { true: true, false: false, null: null };

/** Splits the text of a condition. `a-b` is a name, `a - b` and `a-1` are differences. */
function tokenize(source: string): Token[] {
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
