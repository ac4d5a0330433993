/** Four significant digits, without needless zeros. */
export function numberWords(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "∞";
  if (value === Number.NEGATIVE_INFINITY) return "−∞";
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return minus(String(value));
  const size = Math.abs(value);
  return minus(size >= 1e7 || size < 1e-4 ? value.toExponential(2) : String(Number(value.toPrecision(4))));
}

/** `31 [24, 37]`: as many digits as the width of the interval deserves. */
export function rangeWords(
  { value, low, high }: { value: number; low: number; high: number },
  options: { unit?: string; signed?: boolean } = {},
): string {
  const spread = Math.min(Math.abs(high - value), Math.abs(value - low));
  // An interval as narrow as the rounding of the machine's numbers deserves no digits.
  const width = spread > 1e-9 * Math.abs(value) ? spread : Math.abs(value) / 100 || 1;
  const place = Math.floor(Math.log10(width / 5));
  const digits = Math.max(0, Math.min(12, -place));
  const step = 10 ** Math.max(0, place);
  const text = (x: number) => {
    if (!Number.isFinite(x)) return numberWords(x);
    const bare = digits > 0 ? x.toFixed(digits) : String(Math.round(x / step) * step);
    const isZero = Number(bare) === 0;
    const plain = grouped(isZero ? bare.replace("-", "") : bare);
    return options.signed && !isZero && x > 0 ? `+${plain}` : minus(plain);
  };
  return `${text(value)}${options.unit ?? ""} [${text(low)}, ${text(high)}]`;
}

/** `.031`, `< .0001`. */
export function pWords(p: number): string {
  if (p < 0.0001) return "< .0001";
  if (p > 0.9999) return "1";
  return p.toFixed(p < 0.01 ? 4 : 3).replace(/^0/, "");
}

/** `10 seeds`, `1 seed`, `12,000 tasks`. */
export function countWords(count: number, noun: string): string {
  return `${digitWords(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** `12,000`. */
export function digitWords(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}

/** `a; b; c and 4 more`. */
export function listWords(words: readonly string[], most = 3): string {
  if (words.length <= most) return words.join("; ");
  return `${words.slice(0, most).join("; ")} and ${words.length - most} more`;
}

/** `−133,400`; numbers of four digits are read as they are. */
function grouped(text: string): string {
  return /^-?\d{5,}$/.test(text) ? text.replaceAll(/\B(?=(\d{3})+$)/g, ",") : text;
}

function minus(text: string): string {
  return text.replace("-", "−");
}
