import type { Redis } from "ioredis";
import { BUCKET, type LeaseAnswer, type LeaseRequest, plainLimit } from "./limit.ts";

/**
 * A label is a hash: of each holder when its place runs out, and of the bucket its level and when that was so. The
 * script runs alone on the server, by the server's clock: first it looks at all labels, then it changes all or none.
 */
const SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local holder, life, renews = ARGV[1], tonumber(ARGV[2]), ARGV[3] == '1'
local holds, open, wait, levels = true, true, 0, {}
for i, key in ipairs(KEYS) do
  local most, size, perMs = tonumber(ARGV[3 * i + 1]), tonumber(ARGV[3 * i + 2]), tonumber(ARGV[3 * i + 3])
  local busy, mine, level = 0, false, size
  local fields = redis.call('HGETALL', key)
  for j = 1, #fields, 2 do
    local name, value = fields[j], fields[j + 1]
    if name == '${BUCKET}' then
      local left, at = string.match(value, '(%S+) (%S+)')
      level = math.min(size, tonumber(left) + math.max(0, now - tonumber(at)) * perMs)
    elseif tonumber(value) <= now then
      redis.call('HDEL', key, name)
    elseif name == holder then
      mine = true
    else
      busy = busy + 1
    end
  end
  levels[i] = level
  holds = holds and mine
  if most > 0 and busy >= most then open = false end
  if size > 0 and level < 1 then
    open = false
    wait = math.max(wait, math.ceil((1 - level) / perMs))
  end
end
if not (holds or open or renews) then return {0, wait} end
for i, key in ipairs(KEYS) do
  redis.call('HSET', key, holder, string.format('%.0f', now + life))
  if not (holds or renews) and tonumber(ARGV[3 * i + 2]) > 0 then
    redis.call('HSET', key, '${BUCKET}', string.format('%.9f %.0f', levels[i] - 1, now))
  end
  -- Not before the bucket is full: a rate that is forgotten sooner is none.
  local size, perMs = tonumber(ARGV[3 * i + 2]), tonumber(ARGV[3 * i + 3])
  local fill = size > 0 and math.ceil((size - levels[i] + 1) / perMs) or 0
  redis.call('PEXPIRE', key, math.max(life, 120000, fill))
end
return {1, 0}
`;

export async function redisLease(
  client: Redis,
  { limits, holder, lifeMs, isRenewal }: LeaseRequest,
  keyOf: (label: string) => string,
): Promise<LeaseAnswer> {
  const bounds = limits.flatMap((limit) => {
    const { most, size, perMs } = plainLimit(limit);
    return [most, size, perMs];
  });
  const keys = limits.map(({ label }) => keyOf(label));
  const words = [holder, lifeMs, isRenewal ? 1 : 0, ...bounds];
  const [granted, waitMs] = (await client.eval(SCRIPT, keys.length, ...keys, ...words)) as [number, number];
  return { isGranted: granted === 1, waitMs };
}
