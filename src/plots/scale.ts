/** Places a value on the page. */
export interface Scale {
  (value: number): number;
  readonly domain: readonly [number, number];
  readonly ticks: readonly number[];
}

interface ScaleOptions {
  kind?: "linear" | "log";
  ticks?: number;
  /** Widen the domain to whole ticks. */
  nice?: boolean;
}

/** A linear or logarithmic scale from values to pixels. A domain without width is opened around its value. */
export function scaleOf(
  domain: readonly [number, number],
  range: readonly [number, number],
  { kind = "linear", ticks = 5, nice = true }: ScaleOptions = {},
): Scale {
  let [low, high] = opened(domain, kind);
  const step = tickStep(low, high, ticks);
  if (nice && kind === "linear") {
    [low, high] = [Math.floor(low / step + 1e-9) * step, Math.ceil(high / step - 1e-9) * step];
  }
  const along = kind === "log" ? Math.log : (value: number) => value;
  const [from, to] = [along(low), along(high)];
  const scale = (value: number) => range[0] + ((along(value) - from) / (to - from)) * (range[1] - range[0]);
  const marks = kind === "log" ? logTicks(low, high) : linearTicks(low, high, step);
  return Object.assign(scale, { domain: [low, high] as const, ticks: marks });
}

function opened([low, high]: readonly [number, number], kind: "linear" | "log"): [number, number] {
  if (low < high) return [low, high];
  if (kind === "log") return [low / 2, low * 2];
  const half = low === 0 ? 1 : Math.abs(low) * 0.1;
  return [low - half, low + half];
}

/** 1, 2 or 5 times a power of ten, so that about `count` steps fill the domain. */
function tickStep(low: number, high: number, count: number): number {
  const raw = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const times = raw / power;
  return power * (times < Math.SQRT2 ? 1 : times < Math.sqrt(10) ? 2 : times < Math.sqrt(50) ? 5 : 10);
}

function linearTicks(low: number, high: number, step: number): number[] {
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** 1, 2, 5, 10, ... within the domain; powers of ten alone where that would be too many. */
function logTicks(low: number, high: number): number[] {
  const powers: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++)
    powers.push(10 ** power);
  const inside = (tick: number) => tick >= low * 0.999 && tick <= high * 1.001;
  const fine = powers.flatMap((power) => [power, 2 * power, 5 * power]).filter(inside);
  return fine.length > 10 ? powers.filter(inside) : fine;
}
