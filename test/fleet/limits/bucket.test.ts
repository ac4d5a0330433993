import fc from "fast-check";
import { expect, test } from "vitest";
import { bucketOf } from "../../../src/fleet/limits/limit.ts";

const MINUTE = 60_000;

test("whoever takes as soon as it can gets no more than the rate in any minute, and nearly all of it", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 3000 }),
      fc.integer({ min: 0, max: 5 * MINUTE }),
      (perMinute, idleMs) => {
        const { size, perMs } = bucketOf(perMinute);
        const times: number[] = [];
        let level = Math.min(size, idleMs * perMs);
        for (let now = 0; now < 2 * MINUTE; ) {
          if (level >= 1 - 1e-9) {
            level--;
            times.push(now);
            continue;
          }
          const waitMs = (1 - level) / perMs;
          level += waitMs * perMs;
          now += waitMs;
        }
        // The one that is `perMinute` places later is never of the same minute.
        const gaps = times.slice(perMinute).map((time, i) => time - times[i]!);
        expect(Math.min(MINUTE, ...gaps)).toBeGreaterThan(MINUTE - 1e-3);
        expect(times.length).toBeGreaterThanOrEqual(Math.floor(2 * perMinute * 0.97) - 2);
      },
    ),
    { numRuns: 60 },
  );
});
