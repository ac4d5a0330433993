import { MachineError } from "assay/plugin";
import type { Redis } from "ioredis";

const DEFAULT_URL = "redis://127.0.0.1:6379";
const PATIENCE_MS = 1500;

/** A connection that is ready, or one message about how to get one: nothing is tried twice. */
export async function connectRedis(url: string | null): Promise<Redis> {
  const address = url ?? process.env.REDIS_URL ?? DEFAULT_URL;
  const { Redis } = await import("ioredis");
  let reason = `no answer in ${PATIENCE_MS} ms`;
  let redis: Redis | undefined;
  let timer: NodeJS.Timeout | undefined;
  try {
    redis = new Redis(address, {
      lazyConnect: true,
      connectTimeout: PATIENCE_MS,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
    });
    // Without a listener ioredis prints each of them.
    redis.on("error", (error: Error) => {
      reason = error.message;
    });
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(reason)), PATIENCE_MS);
    });
    await Promise.race([redis.connect().then(() => redis!.ping()), late]);
    return redis;
  } catch (error) {
    redis?.disconnect();
    // What `connect` rejects with only says that the connection is closed; the event before says why.
    const { message } = error as Error;
    const why = /closed/i.test(message) ? reason : message;
    throw new MachineError(
      `no Redis at ${withoutSecret(address)} (${why}). Start one (apt-get install redis-server, then redis-server), or name yours in REDIS_URL or the parameter url.`,
    );
  } finally {
    clearTimeout(timer);
  }
}

function withoutSecret(address: string): string {
  return address.replace(/\/\/[^@/]*@/, "//");
}
