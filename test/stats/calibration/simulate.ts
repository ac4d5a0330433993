import { expect } from "vitest";
import { RandomStream } from "../../../src/core/random.ts";

/** Draws of the kinds of data that experiments give, from one stream a test, so that each test is repeatable alone. */
export function simulator(purpose: string) {
  const uniform = new RandomStream(20, `calibration/${purpose}`).sequence();
  let spare: number | undefined;
  const normal = () => {
    if (spare !== undefined) {
      const held = spare;
      spare = undefined;
      return held;
    }
    const radius = Math.sqrt(-2 * Math.log(uniform()));
    const angle = 2 * Math.PI * uniform();
    spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  };
  const draw = {
    normal,
    lognormal: () => Math.exp(normal()),
    binary: () => (uniform() < 0.3 ? 1 : 0),
    uniform,
  };
  const sample = (n: number, of: () => number) => Float64Array.from({ length: n }, of);
  return { ...draw, draw, sample };
}

/** What a draw's mean truly is. */
export const TRUE_MEAN = { normal: 0, lognormal: Math.exp(0.5), binary: 0.3 } as const;

/** How often something happened, out of `runs` tries. */
export function rate(runs: number, happens: () => boolean): number {
  let count = 0;
  for (let run = 0; run < runs; run++) if (happens()) count++;
  return count / runs;
}

/** Within 3.5 standard errors of a rate from so many runs: by chance outside once in 2,000 times. */
export function expectRate(
  actual: number,
  expected: number,
  { runs, slack = 0 }: { runs: number; slack?: number },
): void {
  const room = 3.5 * Math.sqrt((expected * (1 - expected)) / runs) + slack;
  expect(
    Math.abs(actual - expected),
    `${actual} against ${expected} ± ${room.toFixed(4)}`,
  ).toBeLessThanOrEqual(room);
}

/** Not above a rate by more than chance. */
export function expectAtMost(actual: number, most: number, { runs }: { runs: number }): void {
  const room = 3.5 * Math.sqrt((most * (1 - most)) / runs);
  expect(actual, `${actual} against at most ${most} + ${room.toFixed(4)}`).toBeLessThanOrEqual(most + room);
}
