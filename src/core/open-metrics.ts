/** A metric as OpenMetrics has it: a counter only grows, a gauge is what is now, an info says what never changes. */
export interface MetricFamily {
  /** Without the ending `_total` or `_info`. */
  name: string;
  type: "counter" | "gauge" | "info";
  help: string;
  samples: { labels?: Record<string, string>; value: number }[];
}

export const METRICS_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/**
 * What a scraper such as Prometheus reads. Source: OpenMetrics 1.0,
 * https://github.com/prometheus/OpenMetrics/blob/main/specification/OpenMetrics.md
 */
export function metricsText(families: readonly MetricFamily[]): string {
  const ending = { counter: "_total", gauge: "", info: "_info" };
  const lines = families.flatMap(({ name, type, help, samples }) => [
    `# TYPE ${name} ${type}`,
    `# HELP ${name} ${escaped(help)}`,
    ...samples.map(
      ({ labels = {}, value }) => `${name}${ending[type]}${labelText(labels)} ${numberWord(value)}`,
    ),
  ]);
  return `${[...lines, "# EOF"].join("\n")}\n`;
}

function labelText(labels: Record<string, string>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}

function numberWord(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  return Number.isFinite(value) ? String(value) : value > 0 ? "+Inf" : "-Inf";
}
