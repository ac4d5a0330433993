import { describe, expect, test } from "vitest";
import { PackSize } from "../../../src/executors/slurm/pack-size.ts";

const now = { nowMs: 0, out: 0 };

describe("the size of packs", () => {
  test("is as the study says", () => {
    expect(new PackSize({ pack: 7 }).next(1000, now)).toEqual({ runs: 1000, pack: 7 });
  });

  test("is found out by a few runs that go alone", () => {
    const size = new PackSize({});
    expect(size.next(1000, now)).toEqual({ runs: 16, pack: 1 });
    expect(size.next(984, { nowMs: 0, out: 16 })).toEqual({ runs: 0, pack: 1 });
    size.learn(1000);
    expect(size.next(984, { nowMs: 0, out: 15 })).toEqual({ runs: 984, pack: 16 });
  });

  test("is one for long runs, which show by not ending", () => {
    const size = new PackSize({});
    size.begin(0);
    expect(size.next(1000, { nowMs: 59_000, out: 16 }).runs).toBe(0);
    expect(size.next(1000, { nowMs: 61_000, out: 16 })).toEqual({ runs: 1000, pack: 1 });
    size.learn(600_000);
    expect(size.next(1000, { nowMs: 61_000, out: 16 })).toEqual({ runs: 1000, pack: 1 });
  });

  test("makes tasks of a minute at most, for the tasks that may run at once, and of no less than some seconds", () => {
    const size = new PackSize({ concurrent: 2 });
    size.learn(100);
    expect(size.next(10_000, now).pack).toBe(500);
    size.learn(100);
    expect(size.next(200, now).pack).toBe(100);
    expect(size.next(20, now).pack).toBe(50);
  });
});
