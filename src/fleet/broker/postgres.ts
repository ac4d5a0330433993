import { createRequire } from "node:module";
import type { Pool } from "pg";
import type { Address } from "../address.ts";
import { atMost } from "./at-most.ts";
import type { Broker, FleetConsumer, FleetQueue } from "./broker.ts";
import { connectProblem } from "./connect-problem.ts";
import { startPatience } from "./patience.ts";
import { persist } from "./persist.ts";
import { openPostgresStore } from "./postgres-store.ts";

const SCHEMA = "bullmq";
const CONNECTIONS = 20;
const CLOSE_MS = 2000;
/** How long a server may be away at the start; later there is no end to the patience. */
const PATIENCE_MS = 5000;

/** BullMQ on Postgres, by its own backend: its tables are made when they are not there. */
export async function postgresBroker(address: Address): Promise<Broker> {
  const require = createRequire(import.meta.url);
  const pg = require("pg") as typeof import("pg");
  const { Queue, Worker, createPostgresBackend, runMigrations } =
    require("bullmq") as typeof import("bullmq");
  const pool = new pg.Pool({
    connectionString: address.url,
    options: `-c search_path="${SCHEMA}"`,
    max: CONNECTIONS,
    keepAlive: true,
    connectionTimeoutMillis: 5000,
  });
  pool.on("error", () => {});
  // The pool hears only those that rest in it: a server that ends while one is in use would end this program, too.
  pool.on("connect", (client) => client.on("error", () => {}));
  const store = await prepare(pool, address, runMigrations);
  const open: (FleetQueue | FleetConsumer)[] = [];
  const keep = <T extends FleetQueue | FleetConsumer>(one: T): T => {
    (one as FleetQueue).on("error", () => {});
    open.push(one);
    return one;
  };
  return {
    label: address.label,
    store,
    queue: (name) =>
      keep(
        new Queue(
          name,
          { connection: pool as never },
          createPostgresBackend as never,
        ) as unknown as FleetQueue,
      ),
    consume: (name, take, { concurrency, leaseMs }) =>
      keep(
        new Worker(
          name,
          (job, token) => take(job as never, token!),
          {
            connection: pool as never,
            concurrency,
            lockDuration: leaseMs,
            stalledInterval: leaseMs / 2,
            maxStalledCount: 1_000_000,
            runRetryDelay: 500,
            drainDelay: 2,
          },
          createPostgresBackend as never,
        ) as unknown as FleetConsumer,
      ),
    async close() {
      await atMost(CLOSE_MS, Promise.allSettled(open.map((one) => one.close())));
      await atMost(CLOSE_MS, pool.end());
    },
  };
}

type Migrate = typeof import("bullmq").runMigrations;

async function prepare(pool: Pool, { label }: Address, migrate: Migrate) {
  const patience = new AbortController();
  const stop = startPatience(PATIENCE_MS, () => patience.abort());
  try {
    return await persist(() => makeTables(pool, migrate), patience.signal);
  } catch (error) {
    await pool.end();
    throw connectProblem(label, error);
  } finally {
    stop();
  }
}

async function makeTables(pool: Pool, migrate: Migrate) {
  const client = await pool.connect();
  try {
    await migrate(client as never, SCHEMA);
  } finally {
    client.release();
  }
  return openPostgresStore(pool);
}
