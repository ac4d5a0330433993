import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OrderedHeap } from "../../src/kernel/ordered-heap.ts";
import { exp, ln } from "../../src/kernel/portable-math.ts";
import { TokenBucket } from "../../src/sched-sim/engine/station.ts";

describe("the ordered heap", () => {
  it("gives entries back by key, equal keys in the order in which they came", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 300 }), (keys) => {
        const heap = new OrderedHeap(2);
        keys.forEach((key, i) => {
          heap.push(key, i % 256, i, -i);
        });
        const popped: number[] = [];
        while (heap.pop()) {
          expect([heap.key, heap.type, heap.b]).toEqual([keys[heap.a], heap.a % 256, 0 - heap.a]);
          popped.push(heap.a);
        }
        const expected = keys.map((_, i) => i).sort((a, b) => keys[a]! - keys[b]! || a - b);
        expect(popped).toEqual(expected);
      }),
    );
  });

  it("keeps its order when pushes and pops are mixed", () => {
    const step = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constant("pop" as const));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const heap = new OrderedHeap(1);
        const model: { key: number; order: number }[] = [];
        steps.forEach((what, order) => {
          if (what !== "pop") {
            heap.push(what, 0, order, 0);
            model.push({ key: what, order });
            model.sort((a, b) => a.key - b.key || a.order - b.order);
            return;
          }
          const first = model.shift();
          expect(heap.pop()).toBe(first !== undefined);
          if (first) expect(heap.a).toBe(first.order);
        });
        expect(heap.size).toBe(model.length);
      }),
    );
  });
});

describe("a token bucket", () => {
  it("never holds less than nothing or more than it can, and never lets a burst beyond its size through", () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 2_000_000 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 20 }),
        gaps,
        (rate, size, steps) => {
          const bucket = new TokenBucket(rate, size);
          const taken: number[] = [];
          let nowUs = 0;
          for (const gap of steps) {
            nowUs = Math.max(nowUs + gap, bucket.readyAtUs());
            bucket.take(nowUs);
            taken.push(nowUs);
            expect(bucket.level(nowUs)).toBeGreaterThanOrEqual(0);
            expect(bucket.level(nowUs)).toBeLessThanOrEqual(size);
          }
          const intervalUs = Math.round(1e6 / rate);
          for (let i = size; i < taken.length; i++) {
            expect(taken[i]! - taken[i - size]!).toBeGreaterThanOrEqual(intervalUs);
          }
        },
      ),
    );
  });
});

describe("portable logarithm and exponential", () => {
  it("agree with the engine's to the last bits", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-300, max: 1e300, noNaN: true }), (x) => {
        expect(Math.abs(ln(x) - Math.log(x))).toBeLessThanOrEqual(4e-16 * Math.max(1, Math.abs(Math.log(x))));
      }),
    );
    fc.assert(
      fc.property(fc.double({ min: -600, max: 600, noNaN: true }), (x) => {
        expect(Math.abs(exp(x) / Math.exp(x) - 1)).toBeLessThan(1e-15);
      }),
    );
  });

  it("know the exact points", () => {
    expect([ln(1), ln(2), exp(0)]).toEqual([0, Math.LN2, 1]);
  });
});
