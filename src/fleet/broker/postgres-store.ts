import type { Pool } from "pg";
import { LEASE_FUNCTION, postgresLease } from "../limits/postgres-lease.ts";
import { PURSE_FUNCTION, postgresPurse } from "../limits/postgres-purse.ts";
import { KEYS } from "../protocol.ts";
import { persist } from "./persist.ts";
import type { Store } from "./store.ts";

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
