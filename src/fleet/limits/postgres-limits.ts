import { BUCKET, type LeaseAnswer, type LeaseRequest, plainLimit } from "./limit.ts";
import { type PurseAnswer, type PurseOrder, plainOrder } from "./purse.ts";

/** The labels' locks, apart from all other advisory locks of a database. */
const LABEL_LOCKS = 0x6c656173;

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
  PERFORM pg_advisory_xact_lock(${LABEL_LOCKS}, one.number)
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

/** The studies' locks, apart from all other advisory locks of a database. */
const STUDY_LOCKS = 0x70757273;

/** The same as on Redis, as a function of the database: the rows of a key are what is used, and the calls under way. */
export const PURSE_FUNCTION = `
CREATE OR REPLACE FUNCTION assay_purse_add_1(p_key text, p_name text, p_amount double precision)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO assay_field VALUES (p_key, p_name, p_amount::text)
    ON CONFLICT (key, name) DO UPDATE
    SET value = (assay_field.value::double precision + EXCLUDED.value::double precision)::text;
$$;
CREATE OR REPLACE FUNCTION assay_purse_1(
  p_key text, p_kind text, p_name text, p_a double precision, p_b double precision, p_c double precision,
  p_usd double precision, p_calls double precision, p_tokens double precision,
  OUT verdict text, OUT usd double precision, OUT calls double precision, OUT tokens double precision
) LANGUAGE plpgsql AS $$
DECLARE
  now_ms double precision;
  holder text := 'call ' || p_name;
  mine double precision;
  under_way double precision;
  lost double precision;
BEGIN
  verdict := 'now';
  PERFORM pg_advisory_xact_lock(${STUDY_LOCKS}, hashtext(p_key));
  now_ms := extract(epoch FROM clock_timestamp()) * 1000;
  WITH gone AS (
    DELETE FROM assay_field f WHERE f.key = p_key AND f.name LIKE 'call %' AND f.name <> holder
      AND split_part(f.value, ' ', 2)::double precision <= now_ms RETURNING f.value
  ) SELECT sum(split_part(g.value, ' ', 1)::double precision) INTO lost FROM gone g;
  IF lost IS NOT NULL THEN
    PERFORM assay_purse_add_1(p_key, 'usd', lost);
  END IF;
  SELECT split_part(f.value, ' ', 1)::double precision INTO mine
    FROM assay_field f WHERE f.key = p_key AND f.name = holder;
  SELECT coalesce(sum(split_part(f.value, ' ', 1)::double precision), 0) INTO under_way
    FROM assay_field f WHERE f.key = p_key AND f.name LIKE 'call %' AND f.name <> holder;
  SELECT coalesce(max(CASE WHEN f.name = 'usd' THEN f.value::double precision END), 0),
         coalesce(max(CASE WHEN f.name = 'calls' THEN f.value::double precision END), 0),
         coalesce(max(CASE WHEN f.name = 'tokens' THEN f.value::double precision END), 0)
    INTO usd, calls, tokens
    FROM assay_field f WHERE f.key = p_key AND f.name IN ('usd', 'calls', 'tokens');
  IF p_kind = 'reserve' AND mine IS NULL THEN
    IF p_calls > 0 AND calls >= p_calls THEN verdict := 'calls';
    ELSIF p_tokens > 0 AND tokens >= p_tokens THEN verdict := 'tokens';
    ELSIF p_usd > 0 AND usd + p_a > p_usd THEN verdict := 'usd';
    ELSIF p_usd > 0 AND usd + under_way + p_a > p_usd THEN verdict := 'later';
    ELSE
      INSERT INTO assay_field VALUES (p_key, holder, p_a::text || ' ' || (now_ms + p_b)::text);
      PERFORM assay_purse_add_1(p_key, 'calls', 1);
      calls := calls + 1;
    END IF;
  ELSIF p_kind = 'renew' AND mine IS NOT NULL THEN
    UPDATE assay_field f SET value = mine::text || ' ' || (now_ms + p_b)::text
      WHERE f.key = p_key AND f.name = holder;
  ELSIF p_kind = 'settle' AND mine IS NOT NULL THEN
    DELETE FROM assay_field f WHERE f.key = p_key AND f.name = holder;
    PERFORM assay_purse_add_1(p_key, 'usd', CASE WHEN p_a < 0 THEN mine ELSE p_a END);
    PERFORM assay_purse_add_1(p_key, 'tokens', p_c);
    usd := usd + CASE WHEN p_a < 0 THEN mine ELSE p_a END;
    tokens := tokens + p_c;
  ELSIF p_kind = 'raise' THEN
    PERFORM assay_purse_add_1(p_key, 'usd', greatest(0, p_a - usd));
    PERFORM assay_purse_add_1(p_key, 'calls', greatest(0, p_b - calls));
    PERFORM assay_purse_add_1(p_key, 'tokens', greatest(0, p_c - tokens));
    usd := greatest(usd, p_a);
    calls := greatest(calls, p_b);
    tokens := greatest(tokens, p_c);
  END IF;
END $$;
`;

export async function postgresPurse(ask: Ask, key: string, order: PurseOrder): Promise<PurseAnswer> {
  const { rows } = await ask("SELECT * FROM assay_purse_1($1, $2, $3, $4, $5, $6, $7, $8, $9)", [
    key,
    ...plainOrder(order),
  ]);
  const { verdict, usd, calls, tokens } = rows[0]!;
  return {
    verdict: verdict as PurseAnswer["verdict"],
    used: { usd: Number(usd), calls: Number(calls), tokens: Number(tokens) },
  };
}
