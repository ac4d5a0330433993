import { describe, expect, test } from "vitest";
import { RandomStream } from "../../../src/core/random.ts";
import { judgeLoad, parseLoad } from "../../../src/executors/iterations/machine-load.ts";
import { noiseWarnings } from "../../../src/executors/iterations/noise-warnings.ts";

const noise = (seed: number, count: number) => {
  const next = new RandomStream(seed, "durations").sequence();
  return Array.from({ length: count }, () => 10 + next());
};

describe("warnings from durations", () => {
  test("iterations that were slow at first ask for a longer warm-up", () => {
    expect(noiseWarnings([30, ...noise(1, 20)])).toEqual([
      expect.stringMatching(/^the first iteration was 2\.\d times as slow as the others: raise/),
    ]);
    expect(noiseWarnings([40, 25, ...noise(2, 20)])[0]).toMatch(/^the first 2 iterations were/);
  });

  test("a drift is told with its size and direction", () => {
    // From about 10.5 to 10.5 + 39/8, which is 38 % of the middle.
    const rising = noise(3, 40).map((value, i) => value + i / 8);
    expect(noiseWarnings(rising)).toEqual([expect.stringMatching(/^iterations got 3[5-9] % slower/)]);
    expect(noiseWarnings([...rising].reverse()).at(-1)).toMatch(/faster from the first to the last$/);
  });

  test("a drift is seen over very many iterations too", () => {
    const rising = noise(4, 20_000).map((value, i) => value + i / 4000);
    expect(noiseWarnings(rising)).toEqual([expect.stringMatching(/% slower/)]);
  });

  test("steady noise is rarely called a trend, and few iterations never", () => {
    const called = Array.from({ length: 200 }, (_, seed) => noiseWarnings(noise(seed + 10, 30))).filter(
      (warnings) => warnings.length > 0,
    );
    // A test at 1 % on 200 series: more than 8 has a probability of about one in ten thousand.
    expect(called.length).toBeLessThanOrEqual(8);
    expect(noiseWarnings([9, 1, 1, 1])).toEqual([]);
    expect(noiseWarnings([])).toEqual([]);
  });
});

describe("warnings from the machine's load", () => {
  const quiet = { seconds: 10, othersSeconds: 0.5, stolenSeconds: 0, cores: 4 };

  test("name how many cores others used, and what the host took away", () => {
    expect(judgeLoad(quiet)).toEqual([]);
    expect(judgeLoad({ ...quiet, othersSeconds: 15 })).toEqual([
      "the machine was busy: other programs used 1.5 of 4 cores while this was measured",
    ]);
    expect(judgeLoad({ ...quiet, stolenSeconds: 4 })).toEqual([
      "the machine's host took 10 % of its time away (steal)",
    ]);
  });

  test("come from the first line of /proc/stat, where waiting is not being busy", () => {
    const text = "cpu  100 20 30 4000 500 6 7 80 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\n";
    expect(parseLoad(text)).toEqual({ busySeconds: 1.63, stolenSeconds: 0.8 });
    expect(parseLoad("intr 5")).toBeUndefined();
  });
});
