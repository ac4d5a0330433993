import type { Value } from "./params.ts";

/** A metric whose names say what was measured where: `build_us.{algorithm}.n{agents}`, `{mode=disk|memory}_ms`. */
export interface MetricPattern {
  /** What the braces name, in their order. */
  parts: string[];
  /** What the metric is called without them: the longest piece between braces and dots. */
  stem: string;
  /** What a metric's name says of each part; `statistic` is what follows it, such as `_min`. Undefined where it does not fit. */
  read(name: string): { values: Value[]; statistic: string } | undefined;
}

const BRACES = /\{([A-Za-z_]\w*)(?:=([^{}]+))?\}/g;
const STATISTIC = "(_(?:mean|min|p05|p25|p50|p95|sd|n))?";

/** Whether a metric is asked for by a pattern, so that each of its parts is a setting that runs differ in. */
export function isPattern(metric: string): boolean {
  return metric.search(BRACES) >= 0;
}

/** A study may have thousands of names to hold against a few patterns. */
const parsed = new Map<string, MetricPattern>();

export function parsePattern(text: string): MetricPattern {
  const known = parsed.get(text) ?? parse(text);
  parsed.set(text, known);
  return known;
}

function parse(text: string): MetricPattern {
  const found = [...text.matchAll(BRACES)];
  let source = "";
  let end = 0;
  for (const match of found) {
    const words = match[2] === undefined ? "[^.]+?" : match[2].split("|").map(literal).join("|");
    source += `${literal(text.slice(end, match.index))}(${words})`;
    end = match.index + match[0].length;
  }
  const whole = new RegExp(`^${source}${literal(text.slice(end))}${STATISTIC}$`);
  return {
    parts: found.map(([, name]) => name!),
    stem: text
      .replaceAll(BRACES, ".")
      .split(".")
      .map((piece) => piece.replaceAll(/^[_/-]+|[_/-]+$/g, ""))
      .reduce((longest, piece) => (piece.length > longest.length ? piece : longest)),
    read(name) {
      const groups = whole.exec(name);
      if (!groups) return undefined;
      return { values: groups.slice(1, -1).map((word) => partValue(word!)), statistic: groups.at(-1) ?? "" };
    },
  };
}

function literal(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}

function partValue(word: string): Value {
  return /^-?\d+(\.\d+)?$/.test(word) ? Number(word) : word;
}
