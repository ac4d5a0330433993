import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
// @ts-expect-error: it has no types
import s3rver from "s3rver";

interface S3rver {
  run(): Promise<{ port: number }>;
  close(): Promise<void>;
  httpServer: Server;
}
const S3rver = s3rver as new (options: Record<string, unknown>) => S3rver;

/** A server for S3, of others, with one bucket `runs`: `await using s3 = await startS3()`. */
export async function startS3() {
  const directory = mkdtempSync(join(tmpdir(), "assay-s3-"));
  const configureBuckets = [{ name: "runs" }];
  const server = new S3rver({ port: 0, address: "127.0.0.1", silent: true, directory, configureBuckets });
  const { port } = await server.run();
  return {
    port,
    env: s3Environment(port),
    /** Names of all objects. */
    objects: () =>
      readdirSync(join(directory, "runs"), { recursive: true, encoding: "utf8" })
        .filter((path) => path.endsWith("._S3rver_object"))
        .map((path) => path.replace("._S3rver_object", "")),
    async [Symbol.asyncDispose]() {
      // A request that it refused halfway stays open otherwise.
      server.httpServer.closeAllConnections();
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export function s3Environment(port: number): Record<string, string> {
  return {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "S3RVER",
    AWS_SECRET_ACCESS_KEY: "S3RVER",
  };
}

/**
 * A network that breaks: connections to a port are cut after so many bytes in one direction, the first ones of them;
 * all that come later go through.
 */
export async function cuttingProxy(
  port: number,
  { afterBytes, times, from }: { afterBytes: number; times: number; from: "server" | "client" },
) {
  let cuts = 0;
  let bytes = 0;
  const server = createServer((client) => {
    const target = connect(port, "127.0.0.1");
    let passed = 0;
    const cut = () => {
      client.destroy();
      target.destroy();
    };
    for (const socket of [client, target]) socket.on("error", cut).on("close", cut);
    const watch = (source: Socket, other: Socket, isWatched: boolean) =>
      source.on("data", (piece) => {
        other.write(piece);
        if (!isWatched) return;
        passed += piece.length;
        bytes += piece.length;
        if (cuts >= times || passed < afterBytes) return;
        cuts++;
        // What was written so far still arrives.
        other.end(cut);
      });
    watch(client, target, from === "client");
    watch(target, client, from === "server");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as { port: number }).port,
    get cuts() {
      return cuts;
    },
    /** That went in the watched direction. */
    get bytes() {
      return bytes;
    },
    [Symbol.dispose]: () => void server.close(),
  };
}
