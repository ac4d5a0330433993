import { placeText, UserError } from "../../core/errors.ts";
import type { SourceFile } from "../source-file.ts";
import { REMARKS, type Remark, readScalar } from "./read-scalar.ts";

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
