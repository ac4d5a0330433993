import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { killServer, launchServer, onFreePort } from "./launch-server.ts";

/** The words that start a Redis of one's own, which stands in the foreground and is reached from this machine. */
export function redisWords({ port, dir, host = "127.0.0.1", keeps = false }: RedisOptions): string[] {
  const own = ["--port", String(port), "--bind", host, "--dir", dir];
  return ["redis-server", ...own, "--save", "", "--appendonly", keeps ? "yes" : "no"];
}

interface RedisOptions {
  port: number;
  dir: string;
  host?: string;
  /** What it has, over a restart. */
  keeps?: boolean;
}

/** A real Redis on a free port that keeps nothing: `await using redis = await startRedis()`. */
export async function startRedis(): Promise<RedisServer> {
  const dir = mkdtempSync(join(tmpdir(), "assay-redis-"));
  try {
    return await onFreePort(
      async (port) => new RedisServer(await launchServer(redisWords({ port, dir })), port, dir),
    );
  } catch (error) {
    rmSync(dir, { recursive: true, force: true });
    throw error;
  }
}

class RedisServer implements AsyncDisposable {
  readonly port: number;
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #dir: string;

  constructor(child: ChildProcess, port: number, dir: string) {
    this.#child = child;
    this.#dir = dir;
    this.port = port;
    this.url = `redis://127.0.0.1:${port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await killServer(this.#child);
    rmSync(this.#dir, { recursive: true, force: true });
  }
}

export { freePort } from "./free-port.ts";
