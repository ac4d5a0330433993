import type { Metrics } from "../../core/run.ts";
import { cacheHitRate } from "./ledger.ts";
import type { Step } from "./turns.ts";

/** Sums of what steps report, since an instance or the run began. */
class Tally {
  readonly sums = new Map<string, number>();

  /** An amount that is unknown once makes its sum unknown. */
  add(values: Record<string, number | null>): void {
    for (const [name, value] of Object.entries(values))
      this.sums.set(name, (this.sums.get(name) ?? 0) + (value ?? Number.NaN));
  }

  values(prefix: string): Record<string, number> {
    const values: Record<string, number> = {};
    for (const [name, value] of this.sums) values[`${prefix}/${name}`] = value;
    const [input, cached] = [
      this.sums.get("tokens_raw_input") ?? 0,
      this.sums.get("tokens_cached_input") ?? 0,
    ];
    values[`${prefix}/cache_hit_rate`] = cacheHitRate({ input, cached }) ?? Number.NaN;
    return values;
  }
}

/**
 * The steps of a run as its series: what each turn took (`step/...`), what the instance came to so far
 * (`instance/...`), and the run (`cumulative/...`). Numbers that are unknown are left out.
 */
export class StepSeries {
  readonly #emit: (values: Record<string, number>) => void;
  readonly #run = new Tally();
  #instance = new Tally();
  #globalStep = 0;

  constructor(emit: (values: Record<string, number>) => void) {
    this.#emit = emit;
  }

  startInstance(): void {
    this.#instance = new Tally();
  }

  /** What the run has come to after an instance, along `n_instances`: what its metrics would be if it ended here. */
  addTotals(metrics: Metrics): void {
    this.#emit({ step: this.#globalStep, ...numbersOf(metrics) });
  }

  add(step: Step): void {
    const { usage, costUsd, summaryCostUsd, modelMs, toolMs } = step;
    const amounts = {
      cost: costUsd,
      tokens_in: usage.input + usage.cached,
      tokens_out: usage.output,
      tokens_raw_input: usage.input,
      tokens_cached_input: usage.cached,
      tokens_internal_reasoning: usage.reasoning,
      inference_time_ms: modelMs,
      execution_time_ms: toolMs,
      summary_cost: summaryCostUsd,
    };
    for (const tally of [this.#instance, this.#run]) tally.add({ ...amounts, api_calls: 1 });
    const here = new Tally();
    here.add(amounts);
    this.#globalStep++;
    this.#emit(
      withoutUnknown({
        step: this.#globalStep,
        global_step: this.#globalStep,
        "instance/step": step.turn,
        ...here.values("step"),
        "step/prompt_tokens": step.promptTokens,
        "step/masked": step.masked,
        ...this.#instance.values("instance"),
        ...this.#run.values("cumulative"),
      }),
    );
  }
}

function numbersOf(metrics: Metrics): Record<string, number> {
  const known = Object.entries(metrics).filter(([, value]) => value !== null);
  return Object.fromEntries(known) as Record<string, number>;
}

function withoutUnknown(values: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !Number.isNaN(value)));
}
