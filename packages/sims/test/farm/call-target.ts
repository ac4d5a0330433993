import type { Target, TargetContext, TargetMetrics } from "assay/plugin";
import type { z } from "zod";

interface Called {
  /** One set of metrics for each iteration, warm-up left out. */
  metrics: Record<string, number | null>[];
  warnings: string[];
  series: Record<string, number>[];
}

interface Options {
  seed?: number;
  warmup?: number;
  iterations?: number;
  outDir?: string | null;
}

/** Calls a target as a run does, warm-up included, and keeps all that it says. */
export async function callTarget<S extends z.ZodType, T>(
  target: Target<S, T>,
  params: Record<string, unknown>,
  { seed = 42, warmup = 0, iterations = 1, outDir = null }: Options = {},
): Promise<Called> {
  const called: Called = { metrics: [], warnings: [], series: [] };
  const ctx: TargetContext<z.output<S>> = {
    params: target.params.parse(params),
    ...{ seed, task: null, repeat: 0, iteration: -warmup, baseDir: ".", outDir },
    signal: new AbortController().signal,
    series: (values) => called.series.push(values),
    warn: (text) => called.warnings.push(text),
  };
  const state = (await target.setup?.(ctx)) as T;
  try {
    for (let iteration = -warmup; iteration < iterations; iteration++) {
      const metrics: TargetMetrics = await target.run({ ...ctx, iteration }, state);
      if (iteration >= 0) called.metrics.push(metrics as Record<string, number | null>);
    }
  } finally {
    await target.teardown?.(ctx, state);
  }
  return called;
}
