import { placeText, UserError } from "../../core/errors.ts";
import type { SourceFile, SourceScalar } from "../source-file.ts";

/** `{words}` stands for what is written, `{values}` for what it was read as. */
const REMARKS: Record<Remark, string> = {
  exponent: "{words}: read as a number, as was meant; YAML 1.1, which that tool reads, has a text here",
  boolean: "{words}: read as {values}, as YAML 1.1 does; quote it for a text",
  octal: "{words}: read as octal, {values}, as YAML 1.1 does; leave out the leading zero, or quote it",
  underscore: "{words}: read as {values}, as YAML 1.1 does",
  prefix: "{words}: read as the number {values}",
  sexagesimal:
    "{words}: read as a text; YAML 1.1, which that tool reads, has minutes and seconds here; quote it",
  leadingZero: "{words}: read as a text, as YAML 1.1 does; quote it, or leave out the leading zero",
};

const DECIMAL = /^[-+]?(0|[1-9][0-9_]*)$/;
const OCTAL = /^[-+]?0[0-7_]+$/;
const LEADING_ZERO = /^[-+]?0[0-9]+$/;
const PREFIXED = /^[-+]?0[xbo][0-9a-fA-F_]+$/;
const SEXAGESIMAL = /^[-+]?[1-9][0-9_]*(:[0-5]?[0-9])+$/;
/** PyYAML wants a point before an exponent, and a sign in it. */
const FLOAT = /^[-+]?([0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)([eE][-+][0-9]+)?$/;
const MEANT_FLOAT = /^[-+]?(\.[0-9]+|[0-9]+\.?[0-9]*)[eE][-+]?[0-9]+$/;
const TRUE = /^(yes|Yes|YES|on|On|ON)$/;
const FALSE = /^(no|No|NO|off|Off|OFF)$/;

type Path = (string | number)[];

/** A sweep file with its scalars read as such files are meant. */
export interface ResolvedFile extends SourceFile {
  /** Whether the number at this place was written as a float. */
  isFloat(path: Path): boolean;
  warnings: string[];
}

/**
 * Reads every scalar of the file again, from its text: these files are YAML 1.1, and `1` and `1.0` differ in them.
 * Whatever is not read as one might think is told, once for each list.
 */
export function resolveScalars(file: SourceFile): ResolvedFile {
  const floats = new Set<string>();
  const remarks = new Map<string, { remark: Remark; path: Path; words: string[]; values: unknown[] }>();
  const visit = (value: unknown, path: Path): unknown => {
    if (Array.isArray(value)) return value.map((item, i) => visit(item, [...path, i]));
    if (typeof value === "object" && value !== null) {
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, visit(item, [...path, key])]),
      );
    }
    const scalar = file.scalarAt(path);
    if (!scalar) {
      if (typeof value === "number" && !Number.isInteger(value)) floats.add(path.join("\0"));
      return value;
    }
    const read = readScalar(scalar, value);
    // A command's words are texts: what that tool does not read as a number stays as it is written.
    if (path[0] === "command" && read.remark !== undefined && read.remark !== "boolean") return scalar.text;
    if (typeof read.value === "number" && !Number.isFinite(read.value)) {
      throw new UserError("", { place: file.locate(path), expected: "a finite number", got: scalar.text });
    }
    if (typeof read.value === "number" && !read.isFloat && !Number.isSafeInteger(read.value)) {
      throw new UserError("", {
        place: file.locate(path),
        expected: `a whole number of at most ${Number.MAX_SAFE_INTEGER}`,
        got: scalar.text,
        remedy: "Quote it, if it is a name rather than a quantity.",
      });
    }
    if (read.isFloat) floats.add(path.join("\0"));
    if (read.remark) {
      const parent = typeof path.at(-1) === "number" ? path.slice(0, -1) : path;
      const key = [read.remark, ...parent].join("\0");
      const known = remarks.get(key) ?? { remark: read.remark, path: parent, words: [], values: [] };
      known.words.push(scalar.text);
      known.values.push(read.value);
      remarks.set(key, known);
    }
    return read.value;
  };
  const data = visit(file.data, []) as Record<string, unknown>;
  const told = [...remarks.values()];
  const warnings = told.slice(0, MOST_TOLD).map(({ remark, path, words, values }) => {
    const text = REMARKS[remark]
      .replace("{words}", () => listed(words))
      .replace("{values}", () => listed(values.map(String)));
    return `${placeText(file.locate(path))}: ${text}`;
  });
  if (told.length > MOST_TOLD) warnings.push(`${told.length - MOST_TOLD} more places are read in such a way`);
  return { ...file, data, isFloat: (path) => floats.has(path.join("\0")), warnings };
}

const MOST_LISTED = 5;
const MOST_TOLD = 50;

function listed(words: string[]): string {
  const more = words.length > MOST_LISTED ? ` and ${words.length - MOST_LISTED} more` : "";
  return words.slice(0, MOST_LISTED).join(", ") + more;
}

/** A scalar in a sweep file, as the tool that such files were written for reads it, or as its author meant it. */
interface SweepScalar {
  value: unknown;
  /** Written as a float: `1.0`, `1e-5`; not `1`. */
  isFloat: boolean;
  /** What is to be told about the reading. */
  remark?: Remark;
}

type Remark = "exponent" | "boolean" | "octal" | "underscore" | "prefix" | "sexagesimal" | "leadingZero";

/** `value` is what YAML 1.2 makes of it. */
function readScalar({ text, isPlain, tag }: SourceScalar, value: unknown): SweepScalar {
  if (tag?.endsWith(":float")) return { value, isFloat: true };
  if (!isPlain || tag !== undefined) return { value, isFloat: false };
  const plain = text.replaceAll("_", "");
  const asNumber = (number: number, remark?: Remark): SweepScalar => ({
    value: text.startsWith("-") ? -Math.abs(number) : number,
    isFloat: false,
    ...(remark && { remark }),
  });
  if (DECIMAL.test(text)) return asNumber(Number(plain), text.includes("_") ? "underscore" : undefined);
  if (OCTAL.test(text)) return asNumber(Number.parseInt(plain.replace(/^[-+]/, ""), 8), "octal");
  if (LEADING_ZERO.test(text)) return { value: text, isFloat: false, remark: "leadingZero" };
  if (PREFIXED.test(text)) {
    const number = Number(plain.replace(/^[-+]/, ""));
    if (Number.isNaN(number)) return { value, isFloat: false };
    return asNumber(number, /0x/.test(text) && !text.includes("_") ? undefined : "prefix");
  }
  if (FLOAT.test(text)) {
    const remark = text.includes("_") ? { remark: "underscore" as const } : {};
    return { value: Number(plain), isFloat: true, ...remark };
  }
  if (MEANT_FLOAT.test(text)) return { value: Number(text), isFloat: true, remark: "exponent" };
  if (SEXAGESIMAL.test(text)) return { value: text, isFloat: false, remark: "sexagesimal" };
  if (TRUE.test(text)) return { value: true, isFloat: false, remark: "boolean" };
  if (FALSE.test(text)) return { value: false, isFloat: false, remark: "boolean" };
  return { value, isFloat: false };
}
