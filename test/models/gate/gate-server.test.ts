import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { Budget } from "../../../src/models/gate/budget.ts";
import { openGateServer } from "../../../src/models/gate/gate-server.ts";
import { RemoteGate } from "../../../src/models/gate/remote-gate.ts";
import { waitFor } from "../../support/wait-for.ts";

const newSignal = () => new AbortController().signal;

test("callers with connections of their own share one budget", async () => {
  const server = await openGateServer(new Budget(1));
  const gates = Array.from({ length: 4 }, () => new RemoteGate(server.address));
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, async (_, i) => {
      const ticket = await gates[i % 4]!.admit({ provider: "p", worstUsd: 0.125, signal: newSignal() });
      await new Promise(setImmediate);
      ticket.settle({ costUsd: 0.125, result: "ok" });
    }),
  );
  // Eighths add up exactly: eight of them make the dollar.
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(8);
  const refused = results.find((result) => result.status === "rejected");
  expect(refused!.reason).toMatchObject({ kind: "budget", message: expect.stringContaining("budget of $1") });
  expect(server.gate.budget.spentUsd).toBe(1);
  for (const gate of gates) gate.close();
  await server.close();
});

test("calls of a caller that is gone count at their worst, and its place is free again", async () => {
  const server = await openGateServer(new Budget(null));
  const gone = new RemoteGate(server.address);
  for (let i = 0; i < 4; i++) await gone.admit({ provider: "p", worstUsd: 0.25, signal: newSignal() });
  const other = new RemoteGate(server.address);
  const waiting = other.admit({ provider: "p", worstUsd: 0, signal: newSignal() });
  gone.close();
  await waiting;
  expect(server.gate.budget.spentUsd).toBe(1);
  other.close();
  await server.close();
});

test("who aborts while waiting leaves the queue", async () => {
  const server = await openGateServer(new Budget(1));
  const gate = new RemoteGate(server.address);
  const ticket = await gate.admit({ provider: "p", worstUsd: 1, signal: newSignal() });
  const controller = new AbortController();
  const waiting = gate.admit({ provider: "p", worstUsd: 0.5, signal: controller.signal });
  controller.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  ticket.settle({ costUsd: 0, result: "ok" });
  await waitFor("the gate to be free", () => server.gate.budget.inFlightUsd === 0);
  expect(server.gate.budget.spentUsd).toBe(0);
  gate.close();
  await server.close();
});

test("when the study's process is gone, callers are told, and nothing is left on disk", async () => {
  const server = await openGateServer(new Budget(1));
  const gate = new RemoteGate(server.address);
  await gate.admit({ provider: "p", worstUsd: 1, signal: newSignal() });
  const waiting = gate.admit({ provider: "p", worstUsd: 1, signal: newSignal() });
  const told = expect(waiting).rejects.toThrow("is gone");
  await server.close();
  await told;
  expect(existsSync(dirname(server.address))).toBe(false);
});

test("a refusal for an unknown price stays the user's error, word for word", async () => {
  const server = await openGateServer(new Budget(1));
  const gate = new RemoteGate(server.address);
  const call = gate.admit({ provider: "p", worstUsd: null, signal: newSignal() });
  await expect(call).rejects.toMatchObject({ name: "UserError", message: expect.stringMatching(/limit\.$/) });
  gate.close();
  await server.close();
});
