import type { Redis } from "ioredis";
import { type PurseAnswer, type PurseOrder, plainOrder } from "./purse.ts";

/** As long as what a coordinator publishes: it is raised again when the study goes on. */
const LIFE_MS = 7 * 24 * 3600 * 1000;

/** A hash: what is used, and of each call under way the most that it can cost, and when its holder is taken for dead. */
const SCRIPT = `
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
  const answer = (await client.eval(SCRIPT, 1, key, ...plainOrder(order))) as string[];
  const [usd, calls, tokens] = answer.slice(1).map(Number) as [number, number, number];
  return { verdict: answer[0] as PurseAnswer["verdict"], used: { usd, calls, tokens } };
}
