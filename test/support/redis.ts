import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A real Redis on a free port that keeps nothing: `await using redis = await startRedis()`. */
export async function startRedis(): Promise<RedisServer> {
  const dir = mkdtempSync(join(tmpdir(), "assay-redis-"));
  const port = await freePort();
  const words = [
    "--port",
    String(port),
    "--bind",
    "127.0.0.1",
    "--save",
    "",
    "--appendonly",
    "no",
    "--dir",
    dir,
  ];
  const child = spawn("redis-server", words, { stdio: ["ignore", "ignore", "pipe"] });
  const server = new RedisServer(child, port, dir);
  let problem = "";
  child.stderr!.on("data", (text) => {
    problem += text;
  });
  child.on("error", (error) => {
    problem = `${error.message} (apt-get install redis-server)`;
  });
  const deadline = performance.now() + 30_000;
  while (!(await answers(port))) {
    const isOver = problem !== "" || child.exitCode !== null || performance.now() > deadline;
    if (!isOver) continue;
    await server[Symbol.asyncDispose]();
    throw new Error(`redis-server did not start on port ${port}: ${problem || "it said nothing"}`);
  }
  return server;
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
    const { exitCode, signalCode, pid } = this.#child;
    if (pid !== undefined && exitCode === null && signalCode === null) {
      const ended = new Promise((resolve) => this.#child.once("exit", resolve));
      this.#child.kill("SIGKILL");
      await ended;
    }
    rmSync(this.#dir, { recursive: true, force: true });
  }
}

/** A port that nobody listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write("PING\r\n"));
    const end = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once("data", (text) => end(text.toString().startsWith("+PONG")));
    // Refused at once while it starts: a short wait, so that asking does not take its processor.
    socket.once("error", () => setTimeout(() => end(false), 10));
  });
}
