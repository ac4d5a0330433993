import { expect, test } from "vitest";
import { AdaptiveLimit } from "../../../src/models/gate/adaptive-limit.ts";

/** As many calls as there is room for, and then all their answers. */
function round(limit: AdaptiveLimit, wanted: number, result: "ok" | "limited" = "ok"): number {
  const eras: number[] = [];
  while (eras.length < wanted && limit.hasRoom) eras.push(limit.begin());
  for (const era of eras) limit.end(era, result);
  return eras.length;
}

test("two hundred callers wait for six rounds, not for two hundred", () => {
  const limit = new AdaptiveLimit();
  const atOnce = Array.from({ length: 7 }, () => round(limit, 200));
  expect(atOnce.at(-1)).toBe(200);
  expect(atOnce[0]).toBe(4);
});

test("after the first refusal it grows by about one a round", () => {
  const limit = new AdaptiveLimit();
  for (let i = 0; i < 5; i++) round(limit, 200);
  round(limit, 200, "limited");
  const halved = limit.limit;
  for (let i = 0; i < 3; i++) round(limit, 200);
  expect(limit.limit - halved).toBeGreaterThanOrEqual(1);
  expect(limit.limit - halved).toBeLessThanOrEqual(3);
});

test("callers that never need it do not raise it", () => {
  const limit = new AdaptiveLimit();
  for (let i = 0; i < 100; i++) round(limit, 1);
  expect(limit.limit).toBe(4);
});
