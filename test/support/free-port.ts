import { freePort as somePort } from "../../src/host/environment.ts";

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
