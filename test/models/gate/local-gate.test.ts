import { expect, test } from "vitest";
import { AdaptiveLimit } from "../../../src/models/gate/adaptive-limit.ts";
import { LocalGate } from "../../../src/models/gate/local-gate.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";

const call = (provider = "p") => ({ provider, worstUsd: null, signal: new AbortController().signal });

/** A provider that bears so many calls at once and refuses the rest. */
async function load(capacity: number, calls: number) {
  const clock = new VirtualClock();
  const gate = new LocalGate(clock);
  let underWay = 0;
  let refused = 0;
  const limits: number[] = [];
  const callOnce = async (): Promise<void> => {
    const ticket = await gate.admit(call());
    underWay++;
    const isRefused = underWay > capacity;
    // Who is refused is told at once.
    await clock.sleep(isRefused ? 1 : 100);
    underWay--;
    if (isRefused) refused++;
    ticket.settle({ costUsd: 0, result: isRefused ? "limited" : "ok" });
    limits.push(gate.limitOf("p").limit);
    if (isRefused) await callOnce();
  };
  await Promise.all(Array.from({ length: calls }, callOnce));
  return { limits, refused };
}

test("calls at once grow to what the provider bears, and not far beyond", async () => {
  const { limits, refused } = await load(16, 1500);
  const later = limits.slice(500);
  expect(Math.max(...later)).toBeGreaterThanOrEqual(16);
  // It is halved soon after it passes the capacity, and so stays between half of it and a little more.
  expect(Math.max(...later)).toBeLessThanOrEqual(20);
  expect(Math.min(...later)).toBeGreaterThanOrEqual(8);
  expect(refused / limits.length).toBeLessThan(0.1);
});

test("a call that its provider has taken makes room for others, before its answer is there", async () => {
  const gate = new LocalGate(new VirtualClock());
  const first = await gate.admit(call());
  while (gate.limitOf("p").hasRoom) await gate.admit(call());
  const next = gate.admit(call());
  first.accept!();
  await next;
  const { limit } = gate.limitOf("p");
  first.settle({ costUsd: 0, result: "ok" });
  expect(gate.limitOf("p").limit).toBe(limit);
});

test("many refusals of one burst halve the limit once", () => {
  const limit = new AdaptiveLimit();
  const eras = Array.from({ length: 10 }, () => limit.begin());
  for (const era of eras) limit.end(era, true);
  expect(limit.limit).toBe(5);
  expect(limit.underWay).toBe(0);
});

test("one call always goes through", () => {
  const limit = new AdaptiveLimit();
  for (let i = 0; i < 20; i++) limit.end(limit.begin(), true);
  expect(limit.limit).toBe(1);
});

test("a provider's Retry-After holds everybody who calls it, and nobody else", async () => {
  const clock = new VirtualClock();
  const gate = new LocalGate(clock);
  const first = await gate.admit(call());
  first.settle({ costUsd: 0, result: "limited", pauseMs: 30_000 });
  await gate.admit(call("other"));
  expect(clock.now()).toBe(0);
  await gate.admit(call());
  expect(clock.now()).toBe(30_000);
});

test("a pause keeps no timer, and so no process, once nobody waits for its end", async () => {
  let timers = 0;
  const sleep = (_: number, signal?: AbortSignal) => {
    timers++;
    return new Promise<void>((resolve) => {
      const wake = () => {
        timers--;
        resolve();
      };
      signal?.addEventListener("abort", wake, { once: true });
    });
  };
  const gate = new LocalGate({ now: () => 0, wallTime: () => 0, sleep });
  const first = await gate.admit(call());
  first.settle({ costUsd: 0, result: "limited", pauseMs: 120_000 });
  expect(timers).toBe(0);
  const leaving = new AbortController();
  const waiting = gate.admit({ ...call(), signal: leaving.signal });
  expect(timers).toBe(1);
  leaving.abort(new Error("withdrawn"));
  await expect(waiting).rejects.toThrow("withdrawn");
  expect(timers).toBe(0);
});

test("a pause ends for those who wait also where a timer fires before its time, as they do", async () => {
  let nowMs = 0;
  const sleep = async (ms: number) => {
    nowMs += Math.max(0.2, ms - 0.7);
  };
  const gate = new LocalGate({ now: () => nowMs, wallTime: () => nowMs, sleep });
  const first = await gate.admit(call());
  first.settle({ costUsd: 0, result: "limited", pauseMs: 1000 });
  await gate.admit(call());
  expect(nowMs).toBeGreaterThanOrEqual(1000);
});

test("who leaves the queue is not admitted, and does not block it", async () => {
  const gate = new LocalGate(new VirtualClock());
  const first = await gate.admit(call());
  while (gate.limitOf("p").hasRoom) await gate.admit(call());
  const controller = new AbortController();
  const leaver = gate.admit({ provider: "p", worstUsd: null, signal: controller.signal });
  const next = gate.admit(call());
  controller.abort(new Error("enough"));
  await expect(leaver).rejects.toThrow("enough");
  first.settle({ costUsd: 0, result: "ok" });
  await next;
});
