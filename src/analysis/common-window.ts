import type { Curve } from "../stats/index.ts";

const MOST = 0.75;

/**
 * The steps at which runs are compared: from the latest first step to the last step that three quarters of the
 * runs reach. A run that crashed early is then missing, and is not compared at other steps than the rest.
 */
export function commonWindow(curves: readonly Curve[]): { from: number; to: number } | undefined {
  const whole = curves.filter(({ steps }) => steps.length >= 2);
  if (whole.length === 0) return undefined;
  const lasts = whole.map(({ steps }) => steps.at(-1)!).sort((a, b) => b - a);
  const to = lasts[Math.ceil(MOST * lasts.length) - 1]!;
  const firsts = whole.map(({ steps }) => steps[0]!).filter((step) => step < to);
  return { from: Math.max(...firsts), to };
}
