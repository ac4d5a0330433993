import type { MetricInfo } from "assay/plugin";
import { percentile } from "../../kernel/statistics.ts";

/** How long each call of one operation took, and how many things it handled. */
export class Latencies {
  #us: number[] = [];
  #items = 0;

  /** Times one call that handles `items` things. */
  time<T>(body: () => T, items = 1): T {
    const start = performance.now();
    const result = body();
    this.add((performance.now() - start) * 1000, items);
    return result;
  }

  async timeAsync<T>(body: () => Promise<T>, items = 1): Promise<T> {
    const start = performance.now();
    const result = await body();
    this.add((performance.now() - start) * 1000, items);
    return result;
  }

  add(us: number, items = 1): void {
    this.#us.push(us);
    this.#items += items;
  }

  get totalMs(): number {
    return this.#us.reduce((sum, us) => sum + us, 0) / 1000;
  }

  /** `insert_per_s`, `insert_p50_us` and so on; null where the operation never ran. */
  metrics(name: string): Record<string, number | null> {
    const sorted = Float64Array.from(this.#us).sort();
    const { totalMs } = this;
    return {
      [`${name}_per_s`]: totalMs > 0 ? (this.#items * 1000) / totalMs : null,
      [`${name}_p50_us`]: percentile(sorted, 50),
      [`${name}_p95_us`]: percentile(sorted, 95),
      [`${name}_p99_us`]: percentile(sorted, 99),
    };
  }
}

/** What `Latencies.metrics` gives, declared. `things` is what is counted, `call` what is timed. */
export function latencyInfos(name: string, things: string, call: string): Record<string, MetricInfo> {
  const late = (share: string): MetricInfo => ({
    unit: "us",
    direction: "minimize",
    description: `${share} time of ${call}`,
  });
  return {
    [`${name}_per_s`]: { unit: "1/s", direction: "maximize", description: `${things} a second of ${call}` },
    [`${name}_p50_us`]: late("Median"),
    [`${name}_p95_us`]: late("95th percentile of the"),
    [`${name}_p99_us`]: late("99th percentile of the"),
  };
}
