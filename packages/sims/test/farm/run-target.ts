import type { Target, TargetContext, TargetMetrics } from "assay/plugin";

interface Part {
  params?: Record<string, unknown>;
  seed?: number;
  iterations?: number;
  outDir?: string | null;
  signal?: AbortSignal;
}

/** Calls a target as a run does: setup once, so many iterations, teardown whatever happened. */
export async function runTarget(target: unknown, part: Part = {}): Promise<TargetMetrics[]> {
  const called = target as Target;
  const ctx: TargetContext = {
    params: called.params.parse(part.params ?? {}),
    seed: part.seed ?? 1,
    task: null,
    repeat: 0,
    iteration: 0,
    baseDir: ".",
    outDir: part.outDir ?? null,
    signal: part.signal ?? new AbortController().signal,
    series: () => {},
    warn: () => {},
  };
  let state: unknown;
  try {
    state = await called.setup?.(ctx);
    const metrics: TargetMetrics[] = [];
    for (let iteration = 0; iteration < (part.iterations ?? 1); iteration++)
      metrics.push(await called.run({ ...ctx, iteration }, state));
    return metrics;
  } finally {
    await called.teardown?.(ctx, state);
  }
}

/** Metrics that a target returns and declares neither by name nor by a pattern with a list for each of its parts. */
export function undeclared(target: unknown, metrics: TargetMetrics): string[] {
  const declared = Object.keys((target as Target).metrics!).map(
    (name) => new RegExp(`^${name.replaceAll(/\{\w+=([^{}]+)\}/g, "(?:$1)")}$`),
  );
  return Object.keys(metrics).filter((name) => !declared.some((pattern) => pattern.test(name)));
}
