import { describe, expect, test } from "vitest";
import type { Gate } from "../../../src/models/gate/gate.ts";
import { PacedGate } from "../../../src/models/gate/paced-gate.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";

const OPEN: Gate = { admit: async () => ({ settle: () => {} }) };
const DONE = { costUsd: 0, result: "ok" } as const;

function aGate(pace: { perMinute?: number; atOnce?: number }) {
  const clock = new VirtualClock();
  const gate = new PacedGate(OPEN, { perMinute: 0, atOnce: 0, ...pace }, clock);
  const admit = (signal = new AbortController().signal) =>
    gate.admit({ provider: "openai", worstUsd: 0, signal });
  return { clock, admit };
}

describe("a paced gate", () => {
  test("lets so many calls begin within any minute", async () => {
    const { clock, admit } = aGate({ perMinute: 2 });
    const begun: number[] = [];
    const all = Array.from({ length: 5 }, () => admit().then(() => begun.push(clock.now())));
    await Promise.all(all);
    const start = begun[0]!;
    expect(begun.map((ms) => ms - start)).toEqual([0, 0, 60_000, 60_000, 120_000]);
  });

  test("lets so many calls be under way, and one that gives up stops nobody", async () => {
    const { admit } = aGate({ atOnce: 1 });
    const first = await admit();
    const controller = new AbortController();
    const second = admit(controller.signal);
    const third = admit();
    controller.abort(new Error("gone"));
    await expect(second).rejects.toThrow("gone");
    first.settle(DONE);
    (await third).settle(DONE);
  });
});
