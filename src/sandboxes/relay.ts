import { writeFileSync } from "node:fs";
import { request, createServer as serveHttp } from "node:http";
import { connect, type Server, type Socket, createServer as serve } from "node:net";
import { join } from "node:path";
import { errorText } from "../core/errors.ts";
import type { Forwarder } from "./forwarder.ts";
import { makePrivateFolder, removeFolder } from "./private-folder.ts";
import { type Destination, type Mount, SandboxError } from "./sandbox.ts";

/** Where the program finds the sockets by which it is let out. */
const INSIDE = "/run/assay";
const PROXY_PORT = 3128;
const LOOPBACK = ["127.0.0.1", "localhost", "[::1]", "::1"];

/** The way out of a namespace without a network: to these destinations and nowhere else. */
export interface Relay {
  mount: Required<Mount>;
  /** A file for the place of /etc/resolv.conf: some programs would wait for seconds before they believe that nobody answers. */
  namesPath: string;
  env: Record<string, string>;
  /** The program's words behind those of a forwarder, which listens inside, on its own loopback, and passes on what comes. */
  wrap(argv: readonly string[]): string[];
  close(): Promise<void>;
}

/**
 * Destinations on this machine's loopback are found inside under the same port; all others through a proxy, which
 * programs learn of by the usual variables. It asks for names itself: inside there is nobody to ask.
 */
export async function openRelay(destinations: readonly Destination[], forwarder: Forwarder): Promise<Relay> {
  const folder = makePrivateFolder();
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  const ports: Record<number, string> = {};
  const offer = async (server: Server, port: number) => {
    servers.push(server);
    server.on("connection", (socket: Socket) => track(socket, sockets));
    await listening(server, join(folder, String(port)));
    ports[port] = `${INSIDE}/${port}`;
  };
  const close = async () => {
    for (const server of servers) server.close();
    for (const socket of sockets) socket.destroy();
    await removeFolder(folder);
  };
  try {
    const near = destinations.filter(({ host }) => LOOPBACK.includes(host));
    for (const port of new Set(near.map((one) => one.port)))
      await offer(
        serve({ allowHalfOpen: true }, (inner) =>
          joinSockets(inner, connect({ port, host: "127.0.0.1", allowHalfOpen: true }), sockets),
        ),
        port,
      );
    const far = destinations.filter(({ host }) => !LOOPBACK.includes(host));
    let proxyPort = PROXY_PORT;
    while (proxyPort in ports) proxyPort++;
    if (far.length > 0) await offer(proxyTo(far, sockets), proxyPort);
    const env = far.length > 0 ? proxyVariables(proxyPort) : {};
    const namesPath = join(folder, "resolv.conf");
    writeFileSync(namesPath, "nameserver 127.0.0.1\noptions timeout:0 attempts:1\n");
    const ways = Object.entries(ports).map(([port, path]) => `${port}=${path}`);
    const wrap = (argv: readonly string[]) => [...forwarder, ...ways, "--", ...argv];
    return { mount: { path: folder, as: INSIDE }, namesPath, env, wrap, close };
  } catch (error) {
    await close();
    throw new SandboxError(`the way to the models could not be made: ${errorText(error)}`);
  }
}

function proxyVariables(port: number): Record<string, string> {
  const address = `http://127.0.0.1:${port}`;
  const none = LOOPBACK.join(",");
  return {
    ...{ HTTPS_PROXY: address, https_proxy: address, HTTP_PROXY: address, http_proxy: address },
    ...{ NO_PROXY: none, no_proxy: none },
    // Node's own fetch asks for them only then.
    NODE_USE_ENV_PROXY: "1",
  };
}

/** A proxy for these hosts and ports alone. */
function proxyTo(allowed: readonly Destination[], sockets: Set<Socket>): Server {
  const isAllowed = (host: string, port: number) =>
    allowed.some((one) => one.host === host && one.port === port);
  const server = serveHttp((asked, answer) => {
    const url = URL.canParse(asked.url ?? "") ? new URL(asked.url!) : undefined;
    const port = Number(url?.port || 80);
    if (url?.protocol !== "http:" || !isAllowed(url.hostname, port)) {
      answer.writeHead(403, { "content-type": "text/plain" }).end(refusal(asked.url ?? ""));
      return;
    }
    const { method, headers } = asked;
    const passed = request(url, { method, headers }, (reply) => {
      answer.writeHead(reply.statusCode!, reply.headers);
      reply.pipe(answer);
    });
    passed.on("error", (error) => answer.destroy(error));
    asked.pipe(passed);
  });
  server.on("connect", (asked, inner: Socket, head: Buffer) => {
    const url = new URL(`tunnel://${asked.url}`);
    const port = Number(url.port || 443);
    if (!isAllowed(url.hostname, port)) {
      inner.end(`HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n${refusal(asked.url ?? "")}`);
      return;
    }
    const outer = connect(port, url.hostname, () => {
      inner.write("HTTP/1.1 200 Connection established\r\n\r\n");
      outer.write(head);
    });
    joinSockets(inner, outer, sockets);
  });
  server.on("clientError", (_, socket) => socket.destroy());
  return server;
}

function refusal(to: string): string {
  return `assay: ${to} is not one of the agent's models; network: true opens the whole network\n`;
}

function joinSockets(inner: Socket, outer: Socket, sockets: Set<Socket>): void {
  track(outer, sockets);
  inner.on("error", () => outer.destroy());
  outer.on("error", () => inner.destroy());
  inner.pipe(outer).pipe(inner);
}

function track(socket: Socket, sockets: Set<Socket>): void {
  sockets.add(socket);
  socket.on("error", () => {});
  socket.once("close", () => sockets.delete(socket));
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
}
