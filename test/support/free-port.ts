import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below those that the kernel gives to connections, any of which could take a port before its server does. */
const LOWEST = 10_000;
const HIGHEST = 30_000;

const given = new Set<number>();

/** A port that nobody listens on, never the same twice: who asked first may not have taken it yet. */
export async function freePort(): Promise<number> {
  for (;;) {
    // Tests in other processes ask, too: at random, so that hardly two get the same one.
    const port = randomInt(LOWEST, HIGHEST);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
