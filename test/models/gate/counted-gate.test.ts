import { describe, expect, test } from "vitest";
import { CallTally } from "../../../src/models/gate/call-tally.ts";
import { CountedGate } from "../../../src/models/gate/counted-gate.ts";
import type { Gate, Ticket } from "../../../src/models/gate/gate.ts";
import { TempFolder } from "../../support/temp-folder.ts";

const OPEN: Gate = { admit: async () => ({ settle: () => {} }) };
const CALL = { provider: "p", worstUsd: 0, signal: new AbortController().signal };
const done = (tokens?: number) => ({ costUsd: 0, result: "ok" as const, ...(tokens && { tokens }) });

const aGate = (path: string, limits: { calls?: number; tokens?: number }, gate = OPEN) =>
  new CountedGate(gate, { calls: 0, tokens: 0, ...limits }, new CallTally(path));

describe("a study's limit", () => {
  test("of calls lets no more through, in this launch and in those that follow", async () => {
    using folder = new TempFolder();
    const path = `${folder.path}/calls.jsonl`;
    const gate = aGate(path, { calls: 3 });
    for (let i = 0; i < 3; i++) (await gate.admit(CALL)).settle(done());
    await expect(gate.admit(CALL)).rejects.toMatchObject({
      kind: "budget",
      message: "the study's limit of 3 calls to models is reached",
    });
    await expect(aGate(path, { calls: 3 }).admit(CALL)).rejects.toThrow("limit of 3 calls");
    // A higher limit goes on from there: what was refused was no call.
    const more = aGate(path, { calls: 4 });
    (await more.admit(CALL)).settle(done());
    await expect(more.admit(CALL)).rejects.toThrow("limit of 4 calls");
  });

  test("of calls counts those that wait behind another gate", async () => {
    using folder = new TempFolder();
    const waiting: ((ticket: Ticket) => void)[] = [];
    const slow: Gate = { admit: () => new Promise((resolve) => waiting.push(resolve)) };
    const gate = aGate(`${folder.path}/calls.jsonl`, { calls: 1 }, slow);
    const both = [gate.admit(CALL), gate.admit(CALL)].map((one) =>
      one.catch((error: Error) => error.message),
    );
    const settled: string[] = [];
    for (const go of waiting) go({ settle: ({ result }) => void settled.push(result) });
    expect(await Promise.all(both)).toEqual([
      { settle: expect.any(Function) },
      "the study's limit of 1 call to models is reached",
    ]);
    expect(settled).toEqual(["failed"]);
  });

  test("of tokens ends with the call that passes it, and sees what other workers use", async () => {
    using folder = new TempFolder();
    const path = `${folder.path}/calls.jsonl`;
    const [one, other] = [aGate(path, { tokens: 1000 }), aGate(path, { tokens: 1000 })];
    (await one.admit(CALL)).settle(done(600));
    (await other.admit(CALL)).settle(done(600));
    await expect(one.admit(CALL)).rejects.toThrow("limit of 1000 tokens is reached: 1200 are used");
  });

  test("is kept though a line of its file is damaged", async () => {
    using folder = new TempFolder({ "calls.jsonl": '{"calls":1}\n{"cal\n{"calls":1}\n{"calls":' });
    await expect(aGate(`${folder.path}/calls.jsonl`, { calls: 2 }).admit(CALL)).rejects.toThrow("of 2 calls");
    (await aGate(`${folder.path}/calls.jsonl`, { calls: 3 }).admit(CALL)).settle(done());
  });
});
