import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { errorText } from "../../core/errors.ts";
import { shortHash } from "../../core/hash.ts";
import { systemClock } from "../../host/clock.ts";
import { hasProcess } from "../../host/processes.ts";
import type { Budget } from "./budget.ts";
import type { CallReport, Gate, Ticket } from "./gate.ts";
import { readLines, writeLine } from "./lines.ts";
import { LocalGate } from "./local-gate.ts";

/** The variable that tells threads and child processes where the gate of their study is. */
export const GATE_VARIABLE = "ASSAY_MODEL_GATE";

export type GateOrder =
  | { kind: "admit"; id: number; provider: string; worstUsd: number | null }
  | { kind: "withdraw"; id: number }
  | { kind: "accept"; id: number }
  | { kind: "settle"; id: number; report: CallReport };
export type GateReply =
  | { kind: "admitted"; id: number }
  | { kind: "refused"; id: number; reason: string; isUsers: boolean };

export interface GateServer {
  address: string;
  gate: LocalGate;
  close(): Promise<void>;
}

/**
 * One gate for all threads and child processes of a study, in the process that runs it. A caller whose connection ends
 * while it had calls under way may still be billed for them: they count as the worst.
 */
export async function openGateServer(
  budget: Budget,
  /** What else a call has to pass, before or after the gate. */
  around: (gate: Gate) => Gate = (gate) => gate,
): Promise<GateServer> {
  const gate = new LocalGate(systemClock, budget);
  const whole = around(gate);
  removeLeft();
  const dir = mkdtempSync(join(tmpdir(), `${ofHost()}${process.pid}-`));
  // Only this user may enter the folder, so only they can reach the socket.
  const address =
    process.platform === "win32" ? `\\\\.\\pipe\\${dir.replaceAll(/\W/g, "-")}` : join(dir, "s");
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    serve(whole, socket);
  });
  await listen(server, address);
  server.unref();
  return {
    address,
    gate,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Short: the path of a socket may have 107 letters. */
function ofHost(): string {
  return `assay-gate-${shortHash(hostname()).slice(0, 6)}-`;
}

/** What processes of this machine left that were killed. */
function removeLeft(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(ofHost()) ? Number.parseInt(name.slice(ofHost().length), 10) : Number.NaN;
    if (Number.isNaN(pid) || hasProcess(pid)) continue;
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // It is another user's.
    }
  }
}

function listen(server: Server, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(address, resolve);
  });
}

function serve(gate: Gate, socket: Socket): void {
  const leaving = new Map<number, AbortController>();
  const tickets = new Map<number, Ticket>();
  socket.unref();
  socket.on("error", () => {});
  socket.on("close", () => {
    for (const controller of leaving.values()) controller.abort(new Error("the caller is gone"));
    for (const ticket of tickets.values()) ticket.settle({ costUsd: null, result: "failed" });
  });
  readLines(socket, (order: GateOrder) => {
    if (order.kind === "withdraw") return leaving.get(order.id)?.abort(new Error("withdrawn"));
    if (order.kind === "accept") return tickets.get(order.id)?.accept?.();
    if (order.kind === "settle") {
      tickets.get(order.id)?.settle(order.report);
      tickets.delete(order.id);
      return;
    }
    const { id, provider, worstUsd } = order;
    const controller = new AbortController();
    leaving.set(id, controller);
    gate.admit({ provider, worstUsd, signal: controller.signal }).then(
      (ticket) => {
        leaving.delete(id);
        // The caller may have gone between its turn and this moment; it made no call.
        if (socket.destroyed) return ticket.settle({ costUsd: 0, result: "failed" });
        tickets.set(id, ticket);
        writeLine(socket, { kind: "admitted", id } satisfies GateReply);
      },
      (error: unknown) => {
        leaving.delete(id);
        const isUsers = error instanceof Error && error.name === "UserError";
        writeLine(socket, { kind: "refused", id, reason: errorText(error), isUsers } satisfies GateReply);
      },
    );
  });
}
