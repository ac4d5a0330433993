import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface ModelServer {
  url: string;
  requests: { path: string; headers: Record<string, string | string[] | undefined>; body: unknown }[];
  close(): Promise<void>;
}

/** A server on loopback that gives every request the same JSON answer and remembers what was asked. */
export async function startModelServer(answer: unknown): Promise<ModelServer> {
  const requests: ModelServer["requests"] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => {
      body += chunk;
    });
    request.on("end", () => {
      requests.push({ path: request.url!, headers: request.headers, body: JSON.parse(body) });
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
