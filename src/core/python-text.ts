import type { Value } from "./params.ts";

/** Where the number stands inside the value: keys and indices. */
type Path = readonly (string | number)[];
/** Whether a whole number is a float. */
export type FloatTest = (number: number, path: Path) => boolean;

const NEVER: FloatTest = () => false;

/** What Python's `repr` prints for a float: the shortest digits that give it back, exponents from 1e16 and below 1e-4. */
export function pythonFloat(number: number): string {
  if (Number.isNaN(number)) return "nan";
  if (!Number.isFinite(number)) return number > 0 ? "inf" : "-inf";
  const sign = number < 0 || Object.is(number, -0) ? "-" : "";
  const [digits, power] = Math.abs(number).toExponential().split("e") as [string, string];
  const exponent = Number(power);
  const plain = digits.replace(".", "");
  if (exponent < -4 || exponent >= 16) {
    const size = String(Math.abs(exponent)).padStart(2, "0");
    return `${sign}${digits}e${exponent < 0 ? "-" : "+"}${size}`;
  }
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${plain}`;
  const whole = plain.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  return `${sign}${whole}.${plain.slice(exponent + 1) || "0"}`;
}

/** What Python's `str` prints: texts as they are, everything else as `repr`. */
export function pythonStr(value: Value, isFloat: FloatTest = NEVER, path: Path = []): string {
  return typeof value === "string" ? value : pythonRepr(value, isFloat, path);
}

export function pythonRepr(value: Value, isFloat: FloatTest = NEVER, path: Path = []): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return numberText(value, isFloat(value, path));
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) {
    return `[${value.map((item, i) => pythonRepr(item, isFloat, [...path, i])).join(", ")}]`;
  }
  const items = Object.entries(value).map(
    ([key, item]) => `${quoted(key)}: ${pythonRepr(item, isFloat, [...path, key])}`,
  );
  return `{${items.join(", ")}}`;
}

const STRING_OR_NOT_JSON = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|-?\b(?:NaN|Infinity)\b/g;

/** JSON as Python writes it, with NaN and Infinity as they are: each becomes what `standIn` gives, null unless told. */
export function parsePythonJson(text: string, standIn: (word: string) => string = () => "null"): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const plain = text.replaceAll(STRING_OR_NOT_JSON, (token) =>
      token.startsWith('"') ? token : standIn(token),
    );
    if (plain === text) throw error;
    return JSON.parse(plain);
  }
}

/** What Python's `json.dumps` gives with its defaults. */
export function pythonJson(value: Value, isFloat: FloatTest = NEVER, path: Path = []): string {
  if (typeof value === "number") return numberText(value, isFloat(value, path));
  if (typeof value === "string") return asciiJson(value);
  if (value === null || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) {
    return `[${value.map((item, i) => pythonJson(item, isFloat, [...path, i])).join(", ")}]`;
  }
  const items = Object.entries(value).map(
    ([key, item]) => `${asciiJson(key)}: ${pythonJson(item, isFloat, [...path, key])}`,
  );
  return `{${items.join(", ")}}`;
}

function numberText(number: number, isFloat: boolean): string {
  if (isFloat || !Number.isInteger(number)) return pythonFloat(number);
  return Object.is(number, -0) ? "0" : BigInt(number).toString();
}

const ESCAPES: Record<string, string> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Single quotes, unless only they occur inside; whatever can't be printed is escaped. */
function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let result = quote;
  for (const character of text) {
    if (character === quote) result += `\\${character}`;
    else if (character in ESCAPES) result += ESCAPES[character];
    else if (character !== " " && /[\p{C}\p{Z}]/u.test(character)) result += escaped(character);
    else result += character;
  }
  return result + quote;
}

function escaped(character: string): string {
  const code = character.codePointAt(0)!;
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

/** json.dumps escapes everything beyond what ASCII can show, in UTF-16 units. */
function asciiJson(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
