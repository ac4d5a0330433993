import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { systemClock } from "../host/clock.ts";
import { LocalGate } from "../models/gate/local-gate.ts";
import { ask } from "./connection.ts";
import { openGateway } from "./gateway.ts";
import { standInAnswer } from "./stand-in.ts";

const PATH = "/v1/chat/completions";
const REQUEST = { model: "gpt-4o-mini", stream: true, messages: [] };
const ROUNDS = 3;
const AT_ONCE = 20;

/**
 * Lets calls pass through a gateway that nobody else has, to a provider of its own: what Node runs for the first time
 * takes several times as long, and many agents that begin at once would all wait for it.
 */
export async function warmUp(): Promise<void> {
  const { contentType, text } = standInAnswer(PATH, REQUEST)!;
  const provider = createServer((_, outgoing) => {
    outgoing.writeHead(200, { "content-type": contentType });
    for (const event of text.split(/(?<=\n\n)/)) outgoing.write(event);
    outgoing.end();
  });
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
  const gateway = await openGateway({
    env: { OPENAI_BASE_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}` },
    gate: new LocalGate(systemClock),
    signal: new AbortController().signal,
    keepCalls: false,
  });
  const target = new URL(PATH, gateway.url);
  const headers = { "content-type": "application/json" };
  const request = { method: "POST", headers, body: Buffer.from(JSON.stringify(REQUEST)) };
  const call = () =>
    new Promise<void>((resolve) => {
      ask(target, request, { onHead() {}, onBytes: () => true, onEnd: () => resolve() });
    });
  for (let round = 0; round < ROUNDS; round++) await Promise.all(Array.from({ length: AT_ONCE }, call));
  await gateway.close();
  provider.close();
  provider.closeAllConnections();
}
