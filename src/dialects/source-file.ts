import { parse as parseTomlText, TomlDate, TomlError } from "smol-toml";
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, visit, type YAMLMap } from "yaml";
import { errorText, onOneLine, type Place, UserError } from "../core/errors.ts";
import { withoutMark } from "../core/escape.ts";
import { checkNesting, tooDeep } from "./check-nesting.ts";

/** Keys and numbers that lead to a value in a file. */
export type Path = readonly (string | number)[];

/** A study file that was read: its data, and where in the text each part of it stands. */
export interface SourceFile {
  path: string;
  text: string;
  data: Record<string, unknown>;
  /** The folder of the file, and the folder that the command was called from. */
  dir: string;
  callerDir: string;
  /** The folders that a pattern such as `tasks/*` means; absent where nobody can look. */
  findFolders?(pattern: string): string[];
  locate(path: Path): Place;
  /** A scalar as it stands in the text, where that is known: `1` and `1.0` are one number, but not one text. */
  scalarAt(path: Path): SourceScalar | undefined;
  /** The folder of the file that a value stands in: another one where the study extends a file. */
  dirOf(path: Path): string;
}

export interface SourceScalar {
  text: string;
  /** Neither quoted nor a block. */
  isPlain: boolean;
  /** Such as `tag:yaml.org,2002:float`, where the author wrote one. */
  tag?: string;
}

const MOST_CHARACTERS = 1_000_000;
const MOST_LINES = 50_000;
const DEEPEST = 100;

export interface Origin {
  dir: string;
  callerDir: string;
  findFolders?(pattern: string): string[];
}

/** Parses YAML, JSON or TOML, by the ending of the name. Hostile input ends in a UserError, quickly. */
export function parseSource(path: string, marked: string, origin: Origin): SourceFile {
  const text = withoutMark(marked);
  const lines = text.split("\n").length;
  if (text.length > MOST_CHARACTERS || lines > MOST_LINES) {
    throw new UserError("the study file is too large", {
      place: { file: path, line: 1, column: 1 },
      expected: `at most ${MOST_CHARACTERS} characters and ${MOST_LINES} lines`,
      got: `${text.length} characters in ${lines} lines`,
    });
  }
  checkNesting(path, text);
  const { data, locate, scalarAt } = parseText(path, text);
  if (typeof data !== "object" || data === null || Array.isArray(data)) {
    throw new UserError("", {
      place: { file: path, line: 1, column: 1 },
      expected: "a study with named keys",
      got:
        data === null || data === undefined
          ? "an empty file"
          : Array.isArray(data)
            ? "a list"
            : "a single value",
      remedy: "`assay init` writes one to start from.",
    });
  }
  checkKeys(data as Record<string, unknown>, [], locate);
  const named = data as Record<string, unknown>;
  return { path, text, data: named, ...origin, locate, scalarAt, dirOf: () => origin.dir };
}

type Parsed = Pick<SourceFile, "locate" | "scalarAt"> & { data: unknown };

/** A parser that runs out of stack on a nesting that slipped through is the file's fault, not a bug. */
function parseText(path: string, text: string): Parsed {
  try {
    return /\.toml$/i.test(path) ? parseToml(path, text) : parseYaml(path, text);
  } catch (error) {
    throw error instanceof RangeError ? tooDeep({ file: path, line: 1, column: 1 }) : error;
  }
}

/** JSON is read as YAML too, since every JSON text is one: so that all places are known. */
function parseYaml(path: string, text: string): Parsed {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    // Its own check for repeated keys takes time in the square of their number.
    uniqueKeys: false,
    prettyErrors: false,
    merge: true,
  });
  const [problem] = document.errors;
  if (problem) {
    const { line, col } = lines.linePos(problem.pos[0]);
    const place = { file: path, line, column: col };
    if (/call stack/.test(problem.message)) throw tooDeep(place);
    // What stands there begins a list of names inside {...} or [...], where a placeholder was meant.
    const around = text.slice(Math.max(0, problem.pos[0] - 1), problem.pos[1] + 1);
    throw new UserError(problem.message.replace(/\.$/, ""), {
      place,
      ...(/[{]/.test(around) && { remedy: 'Put a text that holds braces in quotes: "${model}".' }),
    });
  }
  visit(document, {
    Scalar(_, { value, source, range }) {
      // TOML refuses it as well: a seed or an id that is silently another one is worse than none.
      if (
        typeof value !== "number" ||
        Number.isSafeInteger(value) ||
        !/^[-+]?(\d+|0x[\da-f]+|0o[0-7]+)$/i.test(source ?? "")
      )
        return;
      const { line, col } = lines.linePos(range?.[0] ?? 0);
      throw new UserError(`${source} is too large to be kept exactly`, {
        place: { file: path, line, column: col },
        expected: `a whole number of at most ${Number.MAX_SAFE_INTEGER}`,
        remedy: "Write it in quotes, as a text, or as a float such as 1e20.",
      });
    },
    Map(_, { items }) {
      const seen = new Set<string>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const name = String(key.value);
        if (seen.has(name) && name !== "<<") {
          const { line, col } = lines.linePos(key.range?.[0] ?? 0);
          throw new UserError(`the key "${name}" appears twice`, {
            place: { file: path, line, column: col },
            remedy: "Remove one of them.",
          });
        }
        seen.add(name);
      }
    },
  });
  const locate = (keys: Path): Place => {
    let node: unknown = document.contents;
    let offset = 0;
    for (const key of keys) {
      if (isMap(node)) {
        const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(key));
        if (!pair) break;
        offset = (isScalar(pair.key) ? pair.key.range?.[0] : undefined) ?? offset;
        node = pair.value;
      } else if (isSeq(node)) {
        node = node.items[Number(key)];
        offset = (node as { range?: [number] } | undefined)?.range?.[0] ?? offset;
      } else break;
    }
    const { line, col } = lines.linePos(offset);
    return { file: path, line, column: col, ...(keys.length > 0 && { path: keys.join(".") }) };
  };
  const indices = new WeakMap<object, Map<string, unknown>>();
  const childOf = (map: YAMLMap, key: string): unknown => {
    const index = indices.get(map) ?? new Map(map.items.map(({ key: name, value }) => [textOf(name), value]));
    indices.set(map, index);
    return index.get(key);
  };
  const scalarAt = (keys: Path): SourceScalar | undefined => {
    let node: unknown = document.contents;
    for (const key of keys) {
      if (isAlias(node)) node = node.resolve(document);
      if (isMap(node)) node = childOf(node, String(key));
      else node = isSeq(node) ? node.items[Number(key)] : undefined;
    }
    if (isAlias(node)) node = node.resolve(document);
    if (!isScalar(node)) return undefined;
    const { source = "", type, tag } = node;
    return { text: source, isPlain: type === "PLAIN", ...(tag !== undefined && { tag }) };
  };
  try {
    return { data: document.toJS({ maxAliasCount: 100 }), locate, scalarAt };
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new UserError(errorText(error).replace(/\.$/, ""), {
      place: { file: path, line: 1, column: 1 },
      remedy: "Write the values out instead of repeating aliases.",
    });
  }
}

function textOf(key: unknown): string {
  return isScalar(key) ? String(key.value) : "";
}

function parseToml(path: string, text: string): Parsed {
  try {
    const locate = (keys: Path) => locateToml(path, text, keys);
    return { data: parseTomlText(text), locate, scalarAt: () => undefined };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const message = error.message.split("\n")[0]!.replace(/^Invalid TOML document: /, "");
    throw new UserError(message, { place: { file: path, line: error.line, column: error.column } });
  }
}

/** smol-toml keeps no positions: the first line that could declare the key, below its table's header. */
function locateToml(path: string, text: string, keys: Path): Place {
  const lines = text.split("\n");
  let [line, end] = [0, lines.length];
  for (const [i, key] of keys.entries()) {
    if (typeof key === "number") continue;
    const name = key.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const next = keys[i + 1];
    const header = new RegExp(`^\\s*\\[\\[\\s*(\\S*\\.)?["']?${name}["']?\\s*\\]\\]`);
    const headers = typeof next === "number" ? linesLike(lines, header, [line, end]) : [];
    // Of tables with one name, the number tells which is meant.
    if (headers[Number(next)] !== undefined)
      [line, end] = [headers[Number(next)]!, headers[Number(next) + 1] ?? end];
    else {
      const declares = new RegExp(`(^|[\\s{,.\\[])["']?${name}["']?\\s*(=|\\.|\\])`);
      line = linesLike(lines, declares, [line, end])[0] ?? line;
    }
  }
  return { file: path, line: line + 1, column: 1, ...(keys.length > 0 && { path: keys.join(".") }) };
}

function linesLike(
  lines: readonly string[],
  pattern: RegExp,
  [start, end]: readonly [number, number],
): number[] {
  return lines.flatMap((line, i) => (i >= start && i < end && pattern.test(line) ? [i] : []));
}

/** No program can be given such an argument, and no file such a name. */
export function noProgramTakes(place: Place): UserError {
  return new UserError("a value holds a NUL character", { place, remedy: "Take it out." });
}

/** `__proto__` as a key is never meant well; nor is endless nesting. A date of TOML's is a text, as in YAML. */
function checkKeys(
  value: Record<string, unknown>,
  at: (string | number)[],
  locate: SourceFile["locate"],
): void {
  if (at.length > DEEPEST) throw tooDeep(locate(at.slice(0, 3)));
  for (const key of Object.keys(value)) {
    const path = [...at, key];
    if (key === "__proto__" || key === "constructor" || key === "prototype") {
      throw new UserError(`the key "${key}" is not allowed`, { place: locate(path), remedy: "Rename it." });
    }
    if (onOneLine(key) !== key) {
      throw new UserError(`the key ${JSON.stringify(onOneLine(key))} holds a control character`, {
        place: locate(at),
        remedy: "Take it out.",
      });
    }
    const item = value[key];
    if (typeof item === "string" && item.includes("\0")) throw noProgramTakes(locate(path));
    if (item instanceof TomlDate) value[key] = item.toISOString();
    else if (typeof item === "object" && item !== null) {
      checkKeys(item as Record<string, unknown>, path, locate);
    }
  }
}
