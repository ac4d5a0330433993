import { BUCKET, type LeaseAnswer, type LeaseRequest, plainLimit } from "./limit.ts";

/** The labels' locks, apart from all other advisory locks of a database. */
const LOCKS = 0x6c656173;

/**
 * The same as on Redis, as a function of the database: the rows of a label are its holders and its bucket. It holds
 * an advisory lock a label, in one order for all, and reads the clock once it has them.
 */
export const LEASE_FUNCTION = `
CREATE OR REPLACE FUNCTION assay_lease_1(
  p_holder text, p_life double precision, p_renews boolean, p_bounds jsonb,
  OUT granted boolean, OUT wait_ms double precision
) LANGUAGE plpgsql AS $$
DECLARE
  bound jsonb;
  k text;
  now_ms double precision;
  level double precision;
  size double precision;
  per_ms double precision;
  busy bigint;
  holds boolean := true;
  is_open boolean := true;
  levels double precision[] := '{}';
BEGIN
  wait_ms := 0;
  PERFORM pg_advisory_xact_lock(${LOCKS}, one.number)
    FROM (SELECT hashtext(b->>'key') AS number FROM jsonb_array_elements(p_bounds) b ORDER BY 1) one;
  now_ms := extract(epoch FROM clock_timestamp()) * 1000;
  FOR bound IN SELECT * FROM jsonb_array_elements(p_bounds) LOOP
    k := bound->>'key';
    size := (bound->>'size')::double precision;
    per_ms := (bound->>'perMs')::double precision;
    DELETE FROM assay_field WHERE key = k AND name <> '${BUCKET}' AND value::double precision <= now_ms;
    SELECT count(*) INTO busy FROM assay_field WHERE key = k AND name <> '${BUCKET}' AND name <> p_holder;
    holds := holds AND EXISTS (SELECT 1 FROM assay_field WHERE key = k AND name = p_holder);
    SELECT least(size, split_part(value, ' ', 1)::double precision
             + greatest(0, now_ms - split_part(value, ' ', 2)::double precision) * per_ms)
      INTO level FROM assay_field WHERE key = k AND name = '${BUCKET}';
    level := coalesce(level, size);
    levels := levels || level;
    IF (bound->>'most')::bigint > 0 AND busy >= (bound->>'most')::bigint THEN
      is_open := false;
    END IF;
    IF size > 0 AND level < 1 THEN
      is_open := false;
      wait_ms := greatest(wait_ms, ceil((1 - level) / per_ms));
    END IF;
  END LOOP;
  granted := holds OR is_open OR p_renews;
  IF NOT granted THEN
    RETURN;
  END IF;
  wait_ms := 0;
  FOR i IN 1 .. jsonb_array_length(p_bounds) LOOP
    k := p_bounds->(i - 1)->>'key';
    INSERT INTO assay_field VALUES (k, p_holder, (now_ms + p_life)::text)
      ON CONFLICT (key, name) DO UPDATE SET value = EXCLUDED.value;
    IF NOT (holds OR p_renews) AND (p_bounds->(i - 1)->>'size')::double precision > 0 THEN
      INSERT INTO assay_field VALUES (k, '${BUCKET}', (levels[i] - 1)::text || ' ' || now_ms::text)
        ON CONFLICT (key, name) DO UPDATE SET value = EXCLUDED.value;
    END IF;
  END LOOP;
END $$;
`;

type Ask = (text: string, values: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>;

export async function postgresLease(
  ask: Ask,
  { limits, holder, lifeMs, isRenewal = false }: LeaseRequest,
  keyOf: (label: string) => string,
): Promise<LeaseAnswer> {
  const bounds = limits.map((limit) => ({ key: keyOf(limit.label), ...plainLimit(limit) }));
  const values = [holder, lifeMs, isRenewal, JSON.stringify(bounds)];
  const { rows } = await ask("SELECT granted, wait_ms FROM assay_lease_1($1, $2, $3, $4)", values);
  return { isGranted: rows[0]!.granted === true, waitMs: Number(rows[0]!.wait_ms) };
}
