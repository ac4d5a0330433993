import { UserError } from "../core/errors.ts";
import type { RunRecord } from "../core/run.ts";
import { suggestion } from "../core/suggest.ts";

/** A column, or the part of it that a pattern finds: `experiment~^(.+?)-agent`. */
export interface Column {
  name: string;
  /** What the pattern's first group (or the whole match) is; "" where it does not match. */
  of(text: string): string;
  /** The same for people, with the column's name where the value alone says little. */
  label(text: string): string;
}

/** Reads a column's name with an optional pattern; the name must be known. */
export function columnOf(spec: string, known: readonly string[], option: string): Column {
  const tilde = known.includes(spec) ? -1 : spec.indexOf("~");
  const name = tilde < 0 ? spec : spec.slice(0, tilde);
  if (!known.includes(name)) {
    throw new UserError(`${option} ${name}`, {
      expected: `one of ${known.slice(0, 30).join(", ")}`,
      remedy: suggestion(name, known),
    });
  }
  if (tilde < 0) return { name, of: (text) => text, label: (text) => `${name} ${text}` };
  const pattern = patternOf(spec.slice(tilde + 1), option);
  const seen = new Map<string, string>();
  const of = (text: string): string => {
    let found = seen.get(text);
    if (found === undefined) {
      const match = pattern.exec(text);
      found = match ? (match[1] ?? match[0]) : "";
      seen.set(text, found);
    }
    return found;
  };
  return { name, of, label: of };
}

function patternOf(source: string, option: string): RegExp {
  try {
    return new RegExp(source);
  } catch {
    throw new UserError(`${option}: "${source}" is no regular expression`);
  }
}

/** Columns whose names need no check. */
export function columnsOf(specs: readonly string[]): Column[] {
  return specs.map((spec) => columnOf(spec, [spec.split("~")[0]!, spec], "--by"));
}

/** What runs can be told apart by. */
export function knownNames(records: readonly RunRecord[]): string[] {
  const names = new Set(["seed", "variant", "task", "repeat"]);
  for (const { params } of records) for (const name in params) names.add(name);
  return [...names];
}

export function checkName(name: string, known: readonly string[]): void {
  if (!known.includes(name))
    throw new UserError(`there is no parameter "${name}"`, {
      expected: "a parameter, variant or task",
      remedy: suggestion(name, known),
    });
}
