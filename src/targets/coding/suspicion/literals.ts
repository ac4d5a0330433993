/** Texts and numbers that stand in a source as such. */
export interface Literals {
  texts: Set<string>;
  numbers: Set<string>;
}

/** Shorter texts, and numbers of one digit, are everywhere. */
const LEAST_TEXT = 5;
const LEAST_DIGITS = 2;

const STRING = /"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g;
const NUMBER = /(?<![\w.$#])\d[\d_]*(?:\.\d+)?(?![\w])/g;

export function literalsIn(source: string): Literals {
  const texts = new Set<string>();
  const bare = source.replaceAll(STRING, (_, double?: string, single?: string, template?: string) => {
    const text = unescaped(double ?? single ?? template ?? "");
    if (isTelling(text)) texts.add(text.trim());
    return '""';
  });
  const numbers = [...bare.matchAll(NUMBER)].map(([digits]) => numberText(digits)).filter(isLong);
  return { texts, numbers: new Set(numbers) };
}

/** Of a value as JSON has it. */
export function literalsOf(value: unknown): Literals {
  const found: Literals = { texts: new Set(), numbers: new Set() };
  const visit = (one: unknown): void => {
    if (typeof one === "string" && isTelling(one)) found.texts.add(one.trim());
    else if (typeof one === "number" && isLong(String(Math.abs(one))))
      found.numbers.add(String(Math.abs(one)));
    else if (typeof one === "object" && one !== null) Object.values(one).forEach(visit);
  };
  visit(value);
  return found;
}

function isTelling(text: string): boolean {
  return text.trim().length >= LEAST_TEXT;
}

function isLong(digits: string): boolean {
  return digits.replace(/\D/g, "").length >= LEAST_DIGITS;
}

function numberText(digits: string): string {
  return String(Number(digits.replaceAll("_", "")));
}

function unescaped(text: string): string {
  const known: Record<string, string> = { n: "\n", r: "\r", t: "\t" };
  return text
    .replaceAll(/\\u([0-9a-fA-F]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll(/\\(.)/g, (_, char: string) => known[char] ?? char);
}
