import { systemClock } from "../../host/clock.ts";
import type { Gate } from "./gate.ts";
import { GATE_VARIABLE } from "./gate-server.ts";
import { LocalGate } from "./local-gate.ts";
import { RemoteGate } from "./remote-gate.ts";

const gates = new Map<string, Gate>();

/** The gate of the study that this thread or process works for; without a study, one of its own without a limit. */
export function findGate(address = process.env[GATE_VARIABLE] ?? ""): Gate {
  const gate = gates.get(address) ?? (address ? new RemoteGate(address) : new LocalGate(systemClock));
  gates.set(address, gate);
  return gate;
}
