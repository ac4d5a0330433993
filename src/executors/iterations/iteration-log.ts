import { addUsd } from "../../core/number-text.ts";
import type { Iterations } from "../../core/run.ts";

/** Collects what the iterations of one run give, column by column, and says once what is wrong with a column. */
export class IterationLog {
  readonly values: Iterations;
  readonly #warn: (text: string) => void;
  readonly #types = new Map<string, string>();
  readonly #warned = new Set<string>();

  constructor(warmup: number, overheadNs: number | null, warn: (text: string) => void) {
    this.values = { warmup, durationMs: [], metrics: {}, overheadNs };
    this.#warn = warn;
  }

  /** What all calls have cost, warm-ups and failed ones included; undefined where none has told. */
  costUsd: number | undefined;

  get count(): number {
    return this.values.durationMs.length;
  }

  add(durationMs: number, raw: Record<string, unknown>): void {
    const { metrics } = this.values;
    const index = this.count;
    this.values.durationMs.push(durationMs);
    for (const name in raw) {
      const value = this.#read(name, raw[name]);
      if (value === undefined) continue;
      let column = metrics[name];
      if (!column) {
        column = new Array<number | null>(index).fill(null);
        metrics[name] = column;
      }
      column.push(value);
    }
    for (const name in metrics) if (metrics[name]!.length === index) metrics[name]!.push(null);
  }

  /** The processor time of the iteration that is added next. */
  addCpu(cpuMs: number): void {
    this.values.cpuMs ??= [];
    this.values.cpuMs.push(cpuMs);
  }

  /** Adds what calls have told that they cost; of a batch, the last one speaks for all. */
  spend(told: unknown, calls = 1): void {
    const cost = (told as { cost_usd?: unknown } | null | undefined)?.cost_usd;
    if (typeof cost === "number" && Number.isFinite(cost) && cost >= 0)
      this.costUsd = addUsd(this.costUsd ?? 0, cost * calls);
  }

  /** A number, null for what is unknown, or undefined for what is no metric at all. */
  #read(name: string, value: unknown): number | null | undefined {
    const type = typeof value;
    const isNumber = type === "number" || type === "boolean";
    if (value === null) return null;
    if (!isNumber && !this.#types.has(name)) {
      this.#warnOnce(name, `metric ${name} is not a number (${type}): left out`);
      return undefined;
    }
    const before = this.#types.get(name);
    if (before === undefined) this.#types.set(name, type);
    else if (before !== type) {
      this.#warnOnce(name, `metric ${name} was a ${before} and then a ${type}: kept as unknown there`);
      return null;
    }
    const number = Number(value);
    if (Number.isFinite(number)) return number;
    this.#warnOnce(name, `metric ${name} is ${value}: kept as unknown`);
    return null;
  }

  #warnOnce(name: string, text: string): void {
    if (this.#warned.has(name)) return;
    this.#warned.add(name);
    this.#warn(text);
  }
}
