import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { shellCall } from "../../src/gateway/scripted.ts";
import { type AskedTool, type StandInAnswer, standInAnswer } from "../../src/gateway/stand-in.ts";

/** What goes wrong with a call: a status with a refusal, an answer that breaks off, or none that can be read. */
export type ProviderFault = number | "cut" | "garbage" | "hang-up";

export interface Provider {
  /** Without a path. */
  url: string;
  /** What came in: method and path, headers, body. */
  requests: { line: string; headers: Record<string, unknown>; body: Record<string, unknown> }[];
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * A stand-in for the paid model servers, on loopback, which speaks their protocols, streamed and whole: it asks the agent
 * for one shell command, then says that it is done. `fault` is asked before each call to a model, from 1.
 */
export async function aProvider(
  /** Or what it asks for instead, by what it is told. */
  command: string | ((body: Record<string, unknown>) => AskedTool | undefined),
  fault: (call: number) => ProviderFault | undefined = () => undefined,
  /** What a call waits for before it is answered. */
  hold: (call: number) => Promise<void> | undefined = () => undefined,
): Promise<Provider> {
  const requests: Provider["requests"] = [];
  let calls = 0;
  const server = createServer(async (incoming, outgoing) => {
    const body = await bodyOf(incoming);
    requests.push({ line: `${incoming.method} ${incoming.url}`, headers: incoming.headers, body });
    const path = incoming.url!.split("?")[0]!;
    const call = typeof command === "string" ? shellCall(body, [command]) : command(body);
    const said = standInAnswer(path, body, call);
    if (incoming.method !== "POST" || said === undefined) {
      outgoing
        .writeHead(404, { "content-type": "application/json" })
        .end('{"error":{"message":"no such page"}}');
      return;
    }
    const number = ++calls;
    await hold(number);
    const trouble = fault(number);
    if (trouble === "hang-up") outgoing.destroy();
    else if (typeof trouble === "number")
      outgoing
        .writeHead(trouble, { "content-type": "application/json", "retry-after": "0" })
        .end(JSON.stringify({ error: { type: "refused", message: `refused with ${trouble}` } }));
    else if (trouble === "garbage")
      outgoing.writeHead(200, { "content-type": "application/json" }).end('{"mess');
    else send(outgoing, said, { isCut: trouble === "cut" });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(incoming: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const chunk of incoming) text += String(chunk);
  return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
}

function send(
  outgoing: ServerResponse,
  { contentType, text }: StandInAnswer,
  { isCut }: { isCut: boolean },
): void {
  outgoing.writeHead(200, { "content-type": contentType });
  if (!isCut) outgoing.end(text);
  else outgoing.write(text.slice(0, text.length / 2), () => outgoing.destroy());
}
