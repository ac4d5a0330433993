import { createServer } from "node:net";

const given = new Set<number>();

/** A port that nobody listens on, never the same twice: who asked first may not have taken it yet. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = await somePort();
    if (given.has(port)) continue;
    given.add(port);
    return port;
  }
}

function somePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
