import { createRequire } from "node:module";
import type { Pool } from "pg";
import type { Address } from "../address.ts";
import { LEASE_FUNCTION, PURSE_FUNCTION, postgresLease, postgresPurse } from "../limits/postgres-limits.ts";
import { KEYS } from "../protocol.ts";
import { atMost } from "./at-most.ts";
import type { Broker, FleetConsumer, FleetQueue } from "./broker.ts";
import { connectProblem } from "./connect-problem.ts";
import { startPatience } from "./patience.ts";
import { persist } from "./persist.ts";
import type { Store } from "./store.ts";

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

/** An advisory lock of our own, so that two who start at once don't both make the tables. */
const LOCK = 0x61737361;

/** The store as two tables beside BullMQ's own. */
export async function openPostgresStore(pool: Pool): Promise<Store> {
  await pool.query(`
    BEGIN;
    SELECT pg_advisory_xact_lock(${LOCK});
    CREATE TABLE IF NOT EXISTS assay_value (key text PRIMARY KEY, value bytea NOT NULL, expires_at timestamptz);
    CREATE TABLE IF NOT EXISTS assay_field (key text, name text, value text NOT NULL, PRIMARY KEY (key, name));
    ALTER TABLE assay_field ADD COLUMN IF NOT EXISTS expires_at timestamptz;
    DELETE FROM assay_value WHERE expires_at < now();
    DELETE FROM assay_field WHERE expires_at < now();
    ${LEASE_FUNCTION}
    ${PURSE_FUNCTION}
    COMMIT;
  `);
  const ask = (text: string, values: unknown[] = []) => persist(() => pool.query(text, values));
  return {
    async get(key) {
      const { rows } = await ask(
        "SELECT value FROM assay_value WHERE key = $1 AND (expires_at IS NULL OR expires_at > now())",
        [key],
      );
      return rows[0]?.value as Buffer | undefined;
    },
    async set(key, value, { lifeMs, isNew } = {}) {
      const change = isNew
        ? "DO NOTHING"
        : "DO UPDATE SET value = EXCLUDED.value, expires_at = EXCLUDED.expires_at";
      await ask(
        `INSERT INTO assay_value VALUES ($1, $2, now() + $3 * interval '1 millisecond') ON CONFLICT (key) ${change}`,
        [key, Buffer.from(value as string), lifeMs ?? null],
      );
    },
    async delete(keys) {
      await ask("DELETE FROM assay_value WHERE key = ANY($1)", [keys]);
      await ask("DELETE FROM assay_field WHERE key = ANY($1)", [keys]);
    },
    async fields(key) {
      const { rows } = await ask(
        "SELECT name, value FROM assay_field WHERE key = $1 AND (expires_at IS NULL OR expires_at > now())",
        [key],
      );
      return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
    },
    async setFields(key, fields, { lifeMs } = {}) {
      // In one order, so that two who write the same fields don't wait for each other.
      const names = Object.keys(fields).sort();
      await ask(
        `INSERT INTO assay_field SELECT $1, *, NULL FROM unnest($2::text[], $3::text[])
         ON CONFLICT (key, name) DO UPDATE SET value = EXCLUDED.value`,
        [key, names, names.map((name) => fields[name])],
      );
      if (lifeMs !== undefined)
        await ask(
          "UPDATE assay_field SET expires_at = now() + $2 * interval '1 millisecond' WHERE key = $1",
          [key, lifeMs],
        );
    },
    async deleteFields(key, names) {
      if (names.length > 0)
        await ask("DELETE FROM assay_field WHERE key = $1 AND name = ANY($2)", [key, names]);
    },
    lease: (request) => postgresLease(ask, request, KEYS.limit),
    purse: (key, order) => postgresPurse(ask, key, order),
    async nowMs() {
      const { rows } = await ask("SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now");
      return Math.floor(Number(rows[0].now));
    },
  };
}
