import { createConnection, type Socket } from "node:net";
import { MachineError, UserError } from "../../core/errors.ts";
import { ModelError } from "../model.ts";
import type { Gate, GateCall, Ticket } from "./gate.ts";
import type { GateOrder, GateReply } from "./gate-server.ts";
import { readLines, writeLine } from "./lines.ts";

interface Pending {
  resolve(ticket: Ticket): void;
  reject(error: unknown): void;
}

/** The gate of the process that runs the study, seen from one of its threads or child processes. */
export class RemoteGate implements Gate {
  readonly #address: string;
  #socket: Socket | undefined;
  #count = 0;
  readonly #pending = new Map<number, Pending>();

  constructor(address: string) {
    this.#address = address;
  }

  admit({ provider, worstUsd, signal }: GateCall): Promise<Ticket> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const id = ++this.#count;
      const leave = () => {
        this.#forget(id);
        this.#send({ kind: "withdraw", id });
        reject(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      const end = <T>(next: (value: T) => void) => {
        return (value: T) => {
          signal.removeEventListener("abort", leave);
          next(value);
        };
      };
      this.#pending.set(id, { resolve: end(resolve), reject: end(reject) });
      this.#send({ kind: "admit", id, provider, worstUsd });
      this.#socket?.ref();
    });
  }

  close(): void {
    this.#socket?.destroy();
  }

  #send(order: GateOrder): void {
    this.#socket ??= this.#connect();
    writeLine(this.#socket, order);
  }

  #connect(): Socket {
    const socket = createConnection(this.#address);
    socket.on("error", () => {});
    socket.on("close", () => {
      this.#socket = undefined;
      const gone = new MachineError("the process that runs the study, which keeps its budget, is gone.");
      for (const { reject } of this.#pending.values()) reject(gone);
      this.#pending.clear();
    });
    readLines(socket, (reply: GateReply) => this.#receive(reply));
    return socket;
  }

  #receive(reply: GateReply): void {
    const { id } = reply;
    const pending = this.#pending.get(id);
    this.#forget(id);
    if (reply.kind === "admitted") {
      const ticket: Ticket = {
        accept: () => this.#send({ kind: "accept", id }),
        settle: (report) => this.#send({ kind: "settle", id, report }),
      };
      // Whoever left while this was on its way made no call.
      if (pending) pending.resolve(ticket);
      else ticket.settle({ costUsd: 0, result: "failed" });
    } else pending?.reject(refusal(reply.reason, reply.isUsers));
  }

  /** A connection with nothing to wait for must not keep a thread or process alive. */
  #forget(id: number): void {
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#socket?.unref();
  }
}

function refusal(reason: string, isUsers: boolean): Error {
  if (!isUsers) return new ModelError("budget", reason);
  return Object.assign(new UserError(""), { message: reason });
}
