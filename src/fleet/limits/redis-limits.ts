import type { Redis } from "ioredis";
import { BUCKET, type LeaseAnswer, type LeaseRequest, plainLimit } from "./limit.ts";
import { type PurseAnswer, type PurseOrder, plainOrder } from "./purse.ts";

/**
 * A label is a hash: of each holder when its place runs out, and of the bucket its level and when that was so. The
 * script runs alone on the server, by the server's clock: first it looks at all labels, then it changes all or none.
 */
const LEASE_SCRIPT = `
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
  const [granted, waitMs] = (await client.eval(LEASE_SCRIPT, keys.length, ...keys, ...words)) as [
    number,
    number,
  ];
  return { isGranted: granted === 1, waitMs };
}

/** As long as what a coordinator publishes: it is raised again when the study goes on. */
const LIFE_MS = 7 * 24 * 3600 * 1000;

/** A hash: what is used, and of each call under way the most that it can cost, and when its holder is taken for dead. */
const PURSE_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local key, kind, holder = KEYS[1], ARGV[1], 'call ' .. ARGV[2]
local a, b, c = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local used, underWay, mine = {usd = 0, calls = 0, tokens = 0}, 0, nil
local function add(name, amount)
  used[name] = used[name] + amount
  redis.call('HINCRBYFLOAT', key, name, string.format('%.12f', amount))
end
local fields = redis.call('HGETALL', key)
for j = 1, #fields, 2 do
  if used[fields[j]] then used[fields[j]] = tonumber(fields[j + 1]) end
end
for j = 1, #fields, 2 do
  local name = fields[j]
  if not used[name] then
    local worst, ends = string.match(fields[j + 1], '(%S+) (%S+)')
    if name == holder then
      mine = tonumber(worst)
    elseif tonumber(ends) <= now then
      redis.call('HDEL', key, name)
      add('usd', tonumber(worst))
    else
      underWay = underWay + tonumber(worst)
    end
  end
end
local verdict = 'now'
local function hold(worst) redis.call('HSET', key, holder, string.format('%.12f %.0f', worst, now + b)) end
if kind == 'reserve' and not mine then
  local usd, calls, tokens = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
  if calls > 0 and used.calls >= calls then verdict = 'calls'
  elseif tokens > 0 and used.tokens >= tokens then verdict = 'tokens'
  elseif usd > 0 and used.usd + a > usd then verdict = 'usd'
  elseif usd > 0 and used.usd + underWay + a > usd then verdict = 'later'
  else
    hold(a)
    add('calls', 1)
  end
elseif kind == 'renew' and mine then
  hold(mine)
elseif kind == 'settle' and mine then
  redis.call('HDEL', key, holder)
  add('usd', a < 0 and mine or a)
  add('tokens', c)
elseif kind == 'raise' then
  if a > used.usd then add('usd', a - used.usd) end
  if b > used.calls then add('calls', b - used.calls) end
  if c > used.tokens then add('tokens', c - used.tokens) end
end
redis.call('PEXPIRE', key, ${LIFE_MS})
return {verdict, tostring(used.usd), tostring(used.calls), tostring(used.tokens)}
`;

export async function redisPurse(client: Redis, key: string, order: PurseOrder): Promise<PurseAnswer> {
  const answer = (await client.eval(PURSE_SCRIPT, 1, key, ...plainOrder(order))) as string[];
  const [usd, calls, tokens] = answer.slice(1).map(Number) as [number, number, number];
  return { verdict: answer[0] as PurseAnswer["verdict"], used: { usd, calls, tokens } };
}
