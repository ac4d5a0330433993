import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Limits } from "../../../src/core/study.ts";
import { readAddress } from "../../../src/fleet/address.ts";
import { type Broker, openBroker } from "../../../src/fleet/broker/broker.ts";
import { FleetGate } from "../../../src/fleet/limits/fleet-gate.ts";
import { openPurse } from "../../../src/fleet/limits/purse.ts";
import { KEYS } from "../../../src/fleet/protocol.ts";
import { systemClock } from "../../../src/host/clock.ts";
import type { Gate, Ticket } from "../../../src/models/gate/gate.ts";
import { queueProblem, skipReason, startQueueServer } from "../../support/queue-server.ts";
import { TempFolder } from "../../support/temp-folder.ts";

const KEY = "a key for the tests only";
const START_MS = 120_000;
const OPEN: Gate = { admit: async () => ({ settle: () => {} }) };
const NO_LIMITS: Limits = { timeoutMs: 0, graceMs: 0, retries: 0, backoffMs: 0, stdoutBytes: 0 };

for (const kind of ["redis", "postgres"] as const) {
  const problem = queueProblem(kind);
  describe.skipIf(problem)(`calls of runs on workers of a queue on ${kind}${skipReason(problem)}`, () => {
    let server: Awaited<ReturnType<typeof startQueueServer>>;
    let brokers: Broker[] = [];
    beforeAll(async () => {
      server = await startQueueServer(kind);
      const open = () => openBroker(readAddress(server.url), KEY);
      brokers = [await open(), await open()];
    }, START_MS);
    afterAll(async () => {
      for (const broker of brokers) await broker.close();
      await server?.[Symbol.asyncDispose]();
    }, START_MS);

    /** A gate in each of two workers. */
    const gatesOf = (study: string, limits: Partial<Limits>, lifeMs = 60_000) =>
      brokers.map(({ store }, i) => {
        const options = { store, study, worker: `w${i}`, clock: systemClock, lifeMs };
        return new FleetGate(OPEN, { ...options, limits: { ...NO_LIMITS, ...limits } });
      });
    const admit = (gate: FleetGate, worstUsd: number | null = 0, signal = new AbortController().signal) =>
      gate.admit({ provider: "p", worstUsd, signal });
    const ok = { costUsd: 0, result: "ok" } as const;
    const used = async (study: string) =>
      (
        await brokers[0]!.store.purse(KEYS.purse(study), {
          kind: "raise",
          used: { usd: 0, calls: 0, tokens: 0 },
        })
      ).used;

    test("share one budget, which none of them passes", async () => {
      const gates = gatesOf("money", { costUsd: 1 });
      const all = Array.from({ length: 20 }, async (_, i) => {
        const ticket = await admit(gates[i % 2]!, 0.125);
        ticket.settle({ costUsd: 0.125, result: "ok" });
      });
      const results = await Promise.allSettled(all);
      // Eighths add up exactly: eight of them make the dollar.
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(8);
      const refused = results.find((result) => result.status === "rejected");
      expect(refused!.reason).toMatchObject({ kind: "budget" });
      expect(refused!.reason.message).toContain("the study's budget of $1 has no room for another call");
      expect((await used("money")).usd).toBe(1);
      await expect(admit(gates[0]!, null)).rejects.toThrow("price is unknown");
    });

    test("share one number of calls and one of tokens", async () => {
      const [one, other] = gatesOf("counts", { calls: 3 }) as [FleetGate, FleetGate];
      for (const gate of [one, other, one]) (await admit(gate)).settle({ ...ok, tokens: 400 });
      await expect(admit(other)).rejects.toThrow("the study's limit of 3 calls to models is reached");
      while ((await used("counts")).tokens !== 1200);
      const [third] = gatesOf("counts", { tokens: 1000 });
      await expect(admit(third!)).rejects.toThrow("limit of 1000 tokens is reached: 1200 are used");
    });

    test("share one number of calls at once, and whoever waits can leave", async () => {
      const [one, other] = gatesOf("places", { callsAtOnce: 1 }) as [FleetGate, FleetGate];
      const first = await admit(one);
      const leaving = new AbortController();
      const left = admit(other, 0, leaving.signal);
      let second: Ticket | undefined;
      const waiting = admit(other).then((ticket) => {
        second = ticket;
      });
      leaving.abort(new Error("left"));
      await expect(left).rejects.toThrow("left");
      expect(second).toBeUndefined();
      first.settle(ok);
      await waiting;
      second!.settle(ok);
    });

    test("share one pace", async () => {
      const [one, other] = gatesOf("pace", { callsPerMinute: 1 }) as [FleetGate, FleetGate];
      (await admit(one)).settle(ok);
      const impatient = new AbortController();
      const next = admit(other, 0, impatient.signal);
      impatient.abort(new Error("not within this minute"));
      await expect(next).rejects.toThrow("not within this minute");
    });

    test("count at their worst where a worker fell silent within them", async () => {
      const [dead] = gatesOf("silent", { costUsd: 1 }, 1) as [FleetGate];
      await admit(dead, 0.75);
      dead.close();
      while ((await used("silent")).usd !== 0.75);
      const [, other] = gatesOf("silent", { costUsd: 1 }) as [FleetGate, FleetGate];
      await expect(admit(other, 0.5)).rejects.toThrow("$0.75 are spent, and the call may cost $0.5");
    });

    test("go on from what earlier launches took, and leave their counts in the study's folder", async () => {
      using folder = new TempFolder({ "model-calls.jsonl": '{"calls":2}\n{"tokens":500}\n' });
      const { store } = brokers[0]!;
      const limits = { ...NO_LIMITS, calls: 3, costUsd: 5 };
      const setting = { limits, studyDir: folder.path, spentUsd: 1.5 } as Parameters<typeof openPurse>[2];
      const purse = await openPurse(store, "earlier", setting);
      expect(await used("earlier")).toEqual({ usd: 1.5, calls: 2, tokens: 500 });
      const [gate] = gatesOf("earlier", limits) as [FleetGate];
      (await admit(gate, 1)).settle({ costUsd: 0.25, result: "ok", tokens: 70 });
      await expect(admit(gate, 1)).rejects.toThrow("limit of 3 calls");
      while ((await used("earlier")).usd !== 1.75);
      await purse!.close();
      const lines = folder.read("model-calls.jsonl").trim().split("\n");
      expect(lines.slice(2)).toEqual(['{"calls":1}', '{"tokens":70}']);
      expect(await openPurse(store, "none", { ...setting, limits: NO_LIMITS })).toBeUndefined();
    });
  });
}
