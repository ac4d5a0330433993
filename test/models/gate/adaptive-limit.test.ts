import { expect, test } from "vitest";
import { AdaptiveLimit } from "../../../src/models/gate/adaptive-limit.ts";

/** As many calls as there is room for, and then what comes of all of them. */
function round(limit: AdaptiveLimit, wanted: number, { isRefused = false } = {}): number {
  const eras: number[] = [];
  while (eras.length < wanted && limit.hasRoom) eras.push(limit.begin());
  for (const era of eras) {
    if (!isRefused) limit.accept();
    limit.end(era, isRefused);
  }
  return eras.length;
}

test("of two hundred callers all are let through once a provider has taken calls four times, before any has its answer", () => {
  const limit = new AdaptiveLimit();
  const underWay: number[] = [];
  for (let taken = 0; limit.underWay < 200; ) {
    while (limit.underWay < 200 && limit.hasRoom) limit.begin();
    underWay.push(limit.underWay);
    for (; taken < limit.underWay; taken++) limit.accept();
  }
  expect(underWay).toEqual([16, 48, 112, 200]);
});

test("a provider that takes a call and answers it at once says the same", () => {
  const limit = new AdaptiveLimit();
  expect(Array.from({ length: 4 }, () => round(limit, 200))).toEqual([16, 48, 144, 200]);
});

test("a refusal leaves half of what was under way, however high the limit was", () => {
  const limit = new AdaptiveLimit();
  for (let i = 0; i < 5; i++) round(limit, 200);
  expect(limit.limit).toBeGreaterThan(200);
  round(limit, 100, { isRefused: true });
  expect(limit.limit).toBe(50);
});

test("after the first refusal it grows by about one a round", () => {
  const limit = new AdaptiveLimit();
  for (let i = 0; i < 5; i++) round(limit, 200);
  round(limit, 200, { isRefused: true });
  const halved = limit.limit;
  for (let i = 0; i < 3; i++) round(limit, 200);
  expect(limit.limit - halved).toBeGreaterThanOrEqual(1);
  expect(limit.limit - halved).toBeLessThanOrEqual(3);
});

test("callers that never need it do not raise it", () => {
  const limit = new AdaptiveLimit();
  for (let i = 0; i < 100; i++) round(limit, 1);
  expect(limit.limit).toBe(16);
});
