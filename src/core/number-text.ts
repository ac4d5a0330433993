/** Every number that a person reads is written here: digits that matter, thousands apart, a true minus sign. */

const MINUS = "−";

/** `12,346`, `0.1235`, `−3`, `1.2e−7`, `∞`: whole numbers as they are, others with `digits` that matter. */
export function numberText(value: number, digits = 4): string {
  const size = Math.abs(value);
  if (value === 0) return "0";
  if (size === Number.POSITIVE_INFINITY) return value > 0 ? "∞" : `${MINUS}∞`;
  if (Number.isInteger(value) && size < 1e9) return written(String(value));
  if (size >= 1e7 || size < 1e-4) return written(`${rounded(value, 3).toExponential()}`);
  return written(size >= 1000 ? String(Math.round(value)) : String(rounded(value, digits)));
}

/** `31 [24, 37]`: as many digits as the width of the interval deserves. */
export function rangeText(
  { value, low, high }: { value: number; low: number; high: number },
  options: { unit?: string; signed?: boolean } = {},
): string {
  const spread = Math.min(Math.abs(high - value), Math.abs(value - low));
  // An interval as narrow as what rounding leaves of a difference of large numbers deserves no digits; nor does one without ends.
  const isTelling = spread > 1e-6 * Math.abs(value) && spread < Number.POSITIVE_INFINITY;
  const width = isTelling ? spread : Math.abs(value) / 100 || 1;
  const place = Math.floor(Math.log10(width / 5));
  const digits = Math.max(0, Math.min(12, -place));
  const step = 10 ** Math.max(0, place);
  const text = (x: number) => {
    if (!Number.isFinite(x)) return numberText(x);
    const bare = digits > 0 ? x.toFixed(digits) : String(Math.round(x / step) * step);
    const isZero = Number(bare) === 0;
    const plain = written(isZero ? bare.replace("-", "") : bare);
    return options.signed && !isZero && x > 0 ? `+${plain}` : plain;
  };
  return `${text(value)}${options.unit ?? ""} [${text(low)}, ${text(high)}]`;
}

/** With exactly so many decimals: for columns, and for files that others read. */
export function fixedText(value: number, decimals: number): string {
  return value.toFixed(decimals);
}

/** The number with so many digits that matter. */
export function rounded(value: number, digits: number): number {
  return Number(value.toPrecision(digits));
}

/** `12.3 %` of a share of one. */
export function percentText(share: number): string {
  return `${numberText(100 * share, Math.abs(share) < 0.1 ? 2 : 3)} %`;
}

/** `$0.0042`, `$12.30`, `$1,234`: cents count as long as the sum is small. */
export function usdText(usd: number): string {
  const size = Math.abs(usd);
  const text = size < 0.1 ? numberText(size, 3) : written(size.toFixed(size < 100 ? 2 : 0));
  return `${usd < 0 ? MINUS : ""}$${text}`;
}

/** Two units at most: `35 µs`, `250 ms`, `1.5 s`, `2 min 5 s`, `1 d 3 h`. */
export function durationText(ms: number): string {
  if (ms < 0) return "0 s";
  if (ms > 0 && ms < 0.5) return `${numberText(1000 * ms, 2)} µs`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 1440) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  const hours = Math.round(minutes / 60);
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** `1.2 kB`, `23 MB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  let size = bytes;
  let unit = "B";
  for (const next of ["kB", "MB", "GB", "TB"]) {
    if (size < 999.5) break;
    size /= 1000;
    unit = next;
  }
  return `${size < 9.95 ? size.toFixed(1) : Math.round(size)} ${unit}`;
}

/** `12,345`. */
export function countText(count: number): string {
  return written(String(Math.round(count)));
}

/** `1 run`, `12,000 runs`. */
export function plural(count: number, noun: string): string {
  return `${countText(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** `.031`, `< .0001`. */
export function pText(p: number): string {
  if (p < 0.0001) return "< .0001";
  if (p > 0.9999) return "1";
  return p.toFixed(p < 0.01 ? 4 : 3).replace(/^0/, "");
}

/** Thousands of the whole part apart, hyphens as minus signs. */
function written(text: string): string {
  return text
    .replace(/^-?\d{4,}/, (whole) => whole.replaceAll(/\B(?=(\d{3})+$)/g, ","))
    .replace("e+", "e")
    .replaceAll("-", MINUS);
}

/** ` ms`; nothing where there is none. */
export function unitWords(unit: string | null): string {
  return unit === null || unit === "" || unit === "1" ? "" : ` ${unit}`;
}

const MS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export const DURATION = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/;

/** `10m`, `1.5h` or `200ms` in milliseconds; undefined where it is no such text. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit] = DURATION.exec(text) ?? [];
  return unit === undefined ? undefined : Number(amount) * MS[unit]!;
}

const PARTS_PER_USD = 1e10;
/** What adding binary fractions may be off by, as a share of the sum. */
const SLIP = 1e-12;

/** Adds amounts of money as people do: ten times $0.10 is $1, not a little less. */
export function addUsd(sumUsd: number, costUsd: number): number {
  const sum = sumUsd + costUsd;
  const round = Math.round(sum * PARTS_PER_USD) / PARTS_PER_USD;
  return Math.abs(round - sum) <= sum * SLIP ? round : sum;
}

/** What a launch may still spend: its own limit, or what earlier launches left of the study's total. */
interface Purse {
  limitUsd: number;
  /** What counts as spent when the launch begins. */
  spentUsd: number;
  whose: "the launch" | "the study";
}

/** The limit that ends a launch first; undefined where there is none. */
export function purseOf(
  { costUsd, totalCostUsd }: { costUsd?: number; totalCostUsd?: number },
  beforeUsd: number,
): Purse | undefined {
  const total: Purse | undefined =
    totalCostUsd === undefined
      ? undefined
      : { limitUsd: totalCostUsd, spentUsd: beforeUsd, whose: "the study" };
  if (costUsd === undefined) return total;
  if (total && total.limitUsd - beforeUsd < costUsd) return total;
  return { limitUsd: costUsd, spentUsd: 0, whose: "the launch" };
}

/** Whole numbers written as `4,7..9`; undefined where the text is no such list, or an empty range. */
export function parseWholeNumbers(text: string): number[] | undefined {
  const numbers = text.split(",").flatMap((part) => {
    const [, from, to = from] = /^\s*(-?\d+)(?:\.\.(-?\d+))?\s*$/.exec(part) ?? [];
    if (from === undefined) return [Number.NaN];
    const count = Number(to) - Number(from) + 1;
    return count >= 1 && count <= MOST_NUMBERS
      ? Array.from({ length: count }, (_, i) => Number(from) + i)
      : [Number.NaN];
  });
  return numbers.every(Number.isSafeInteger) ? numbers : undefined;
}

const MOST_NUMBERS = 10_000_000;
