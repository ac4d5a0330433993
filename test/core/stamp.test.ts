import { expect, test } from "vitest";
import { isStamp, shownName, stampOf, titleOf } from "../../src/core/study-folder.ts";

test("a launch's time is a folder's name that sorts by time", () => {
  expect(stampOf("2025-08-24T12:34:56.789Z")).toBe("20250824__12-34-56");
  expect(isStamp("20250824__12-34-56")).toBe(true);
  expect(isStamp("20250824__12-34-56-0")).toBe(false);
  expect(isStamp("smoke")).toBe(false);
});

test("a launch is called by its study and its time, another study by its name", () => {
  expect(titleOf("/home/me/data/rollouts/nightly/20250824__12-34-56")).toBe("nightly/20250824__12-34-56");
  expect(titleOf("/home/me/bench_runs/smoke")).toBe("smoke");
  expect(shownName("/home/me/bench_runs/smoke", "Smoke test")).toBe("Smoke test");
  expect(shownName("/x/nightly/20250824__12-34-56", "nightly")).toBe("nightly/20250824__12-34-56");
});
