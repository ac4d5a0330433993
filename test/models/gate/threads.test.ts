import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { Budget } from "../../../src/models/gate/budget.ts";
import { GATE_VARIABLE, openGateServer } from "../../../src/models/gate/gate-server.ts";
import { waitFor } from "../../support/wait-for.ts";

const GATE = fileURLToPath(new URL("../../../src/models/gate/index.ts", import.meta.url));
/** Makes calls of an eighth of a dollar until it is refused; the last of them never ends where `hangs`. */
const CALLS = `
const { parentPort, workerData } = require("node:worker_threads");
const { createJiti } = require("jiti");
(async () => {
  const { findGate } = await createJiti(workerData.gate).import(workerData.gate);
  const gate = findGate();
  let admitted = 0;
  for (;;) {
    const signal = new AbortController().signal;
    const ticket = await gate.admit({ provider: "p", worstUsd: 0.125, signal }).catch(() => undefined);
    if (!ticket) break;
    admitted++;
    if (workerData.hangs) {
      parentPort.postMessage("hanging");
      await new Promise((resolve) => setInterval(resolve, 2 ** 30));
    }
    await new Promise(setImmediate);
    ticket.settle({ costUsd: 0.125, result: "ok" });
  }
  parentPort.postMessage(admitted);
})();`;

function startThread(
  address: string,
  hangs = false,
): { worker: Worker; said: Promise<unknown>; ended: Promise<number> } {
  const worker = new Worker(CALLS, {
    eval: true,
    workerData: { gate: GATE, hangs },
    env: { ...process.env, [GATE_VARIABLE]: address },
  });
  return {
    worker,
    said: new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject)),
    ended: new Promise((resolve) => worker.once("exit", resolve)),
  };
}

test("threads share one budget to the cent, and the gate keeps none of them alive", async () => {
  const server = await openGateServer(new Budget(2));
  const threads = [startThread(server.address), startThread(server.address)];
  const admitted = (await Promise.all(threads.map(({ said }) => said))) as number[];
  // Sixteen eighths are two dollars.
  expect(admitted[0]! + admitted[1]!).toBe(16);
  expect(server.gate.budget.spentUsd).toBe(2);
  expect(await Promise.all(threads.map(({ ended }) => ended))).toEqual([0, 0]);
  await server.close();
});

test("a call of a thread that is ended counts at its worst", async () => {
  const server = await openGateServer(new Budget(2));
  const { worker, said } = startThread(server.address, true);
  expect(await said).toBe("hanging");
  expect(server.gate.budget.spentUsd).toBe(0);
  await worker.terminate();
  await waitFor("the gate to notice", () => server.gate.budget.inFlightUsd === 0);
  expect(server.gate.budget.spentUsd).toBe(0.125);
  await server.close();
});
