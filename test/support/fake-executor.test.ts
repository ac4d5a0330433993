import { describe, expect, test } from "vitest";
import { createExecutor } from "../../src/executors/index.ts";
import { aRun } from "./a-study.ts";
import { FakeExecutor } from "./fake-executor.ts";
import { VirtualClock } from "./virtual-clock.ts";

const job = { run: aRun(), attempt: 1 };

describe("the fake executor", () => {
  test("takes virtual time and ends as its script says", async () => {
    const clock = new VirtualClock();
    const executor = new FakeExecutor(clock, 2, () => ({
      durationMs: 3_600_000,
      attempt: { metrics: { x: 1 } },
    }));
    const attempt = await executor.execute(job, new AbortController().signal);
    expect(attempt).toEqual({
      outcome: { status: "ok" },
      metrics: { x: 1 },
      startedAtMs: 0,
      wallMs: 3_600_000,
    });
    expect(clock.now()).toBe(3_600_000);
    expect(executor.jobs).toEqual([job]);
  });

  test("comes back as cancelled, at once, when the signal aborts", async () => {
    const clock = new VirtualClock();
    const kill = new AbortController();
    const executor = new FakeExecutor(clock, 1, () => ({ durationMs: 1000, attempt: { metrics: { x: 1 } } }));
    const running = executor.execute(job, kill.signal);
    kill.abort();
    expect(await running).toMatchObject({ outcome: { status: "cancelled" }, metrics: {}, wallMs: 0 });
  });
});

describe("an executor", () => {
  test.each([
    ["proces", "noop", 'there is no executor "proces". Did you mean "process"?'],
    ["constructor", "noop", 'there is no executor "constructor"'],
    [
      "thread",
      "command",
      "a program can't run in a thread. Leave executor: out, or write executor: process.",
    ],
  ])("that does not fit (%s for %s) is refused with a remedy", async (kind, target, message) => {
    await expect(createExecutor(kind, { target: { kind: target } } as never)).rejects.toThrow(message);
  });
});
