import { UserError } from "../core/errors.ts";
import { sleep } from "../host/clock.ts";
import { answer, type Forwarding, forward, type Send } from "./forward.ts";
import { parseJson } from "./protocols/protocol.ts";
import { standInAnswer } from "./stand-in.ts";

/** What a provider can do wrong, as users name it. */
const FAULTS = ["401", "403", "429", "500", "529", "cut", "garbage", "slow", "dns"] as const;
type Fault = (typeof FAULTS)[number];

/** What goes wrong, and from which call on, the first being 1. */
export interface FaultProfile {
  fault: Fault;
  from: number;
}

const RETRY_AFTER_S = 1;
/** Longer than a program waits for a connection, shorter than most wait for an answer. */
const SLOW_MS = 10_000;

/** `429`, or `429@3` for the third call and all that follow. */
export function readFault(text: string): FaultProfile {
  const [name, from = "1"] = text.split("@") as [string, string?];
  const fault = FAULTS.find((one) => one === name);
  if (fault === undefined || !/^[1-9]\d*$/.test(from))
    throw new UserError("--fault", {
      expected: `one of ${FAULTS.join(", ")}; 429@3 is from the third call on`,
      got: text,
    });
  return { fault, from: Number(from) };
}

/** Lets calls fail as a profile says; those before it, and what asks no model, go where they would go anyway. */
export function failWith({ fault, from }: FaultProfile, send: Send, { slowMs = SLOW_MS } = {}): Send {
  let calls = 0;
  return async (forwarding, onAnswer) => {
    if (!forwarding.isCall || ++calls < from) return send(forwarding, onAnswer);
    const { outgoing, refusal, target } = forwarding;
    if (fault === "slow") {
      await sleep(slowMs);
      return send(forwarding, onAnswer);
    }
    if (fault === "dns")
      return forward({ ...forwarding, target: new URL(target.pathname, "http://nowhere.invalid") }, onAnswer);
    if (fault === "cut" || fault === "garbage") return breakOff(forwarding, onAnswer, fault);
    const headers = { ...(fault === "429" && { "retry-after": String(RETRY_AFTER_S) }) };
    const reader = onAnswer({ status: Number(fault), headers });
    const text = `refused with ${fault}, as --fault asks for`;
    reader?.add(Buffer.from(JSON.stringify({ error: { message: text } })));
    if (reader?.isHeld) return { headers };
    for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value);
    answer(outgoing, Number(fault), refusal(text));
    return { headers };
  };
}

/** Half of an answer before the connection ends, or what nobody can read. */
async function breakOff(
  { incoming, outgoing, body }: Forwarding,
  onAnswer: Parameters<Send>[1],
  fault: "cut" | "garbage",
): Promise<{ broken?: unknown; headers: Record<string, string> }> {
  const [path] = (incoming.url ?? "/").split("?") as [string];
  const said = standInAnswer(path, parseJson(body))!;
  const text = fault === "cut" ? said.text.slice(0, said.text.length / 2) : "<html>";
  const headers = { "content-type": said.contentType };
  const reader = onAnswer({ status: 200, headers });
  reader?.add(Buffer.from(text));
  outgoing.writeHead(200, headers);
  if (fault === "garbage") {
    outgoing.end(text);
    return { headers };
  }
  await new Promise<void>((resolve) => outgoing.write(text, () => resolve()));
  outgoing.destroy();
  return { broken: new Error("the answer breaks off, as --fault asks for"), headers };
}
