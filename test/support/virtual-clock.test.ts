import { describe, expect, test } from "vitest";
import { VirtualClock } from "./virtual-clock.ts";

describe("a virtual clock", () => {
  test("wakes sleepers in the order of their time, and moves only that far", async () => {
    const clock = new VirtualClock();
    const woken: [string, number][] = [];
    const sleeper = (name: string, ms: number) =>
      clock.sleep(ms).then(() => void woken.push([name, clock.now()]));
    await Promise.all([
      sleeper("hour", 3_600_000),
      sleeper("soon", 5),
      sleeper("also soon", 5),
      sleeper("now", 0),
    ]);
    expect(woken).toEqual([
      ["now", 0],
      ["soon", 5],
      ["also soon", 5],
      ["hour", 3_600_000],
    ]);
  });

  test("wakes a sleeper whose signal aborts without moving", async () => {
    const clock = new VirtualClock();
    const abort = new AbortController();
    const sleeping = clock.sleep(1000, abort.signal);
    abort.abort();
    await sleeping;
    await clock.sleep(1000, abort.signal);
    expect(clock.now()).toBe(0);
  });
});
