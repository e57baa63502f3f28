-- Put ids into each timeline that exists. KEYS: timelines; ARGV: cap, how long one may grow before it is trimmed, ids.
-- Ids stay strings: Lua's tostring keeps 14 digits. Numbers are only compared.
local cap, longest = tonumber(ARGV[1]), tonumber(ARGV[2])
local written = 0
for _, key in ipairs(KEYS) do
  local last = redis.call('ZRANGE', key, -1, -1)[1]
  if last then                                      -- a cold timeline is not written to
    local building = string.sub(last, 1, 1) == 'm'
    local oldest = not building and tonumber(last) or 0
    for i = 3, #ARGV do
      if tonumber(ARGV[i]) > oldest then            -- below the oldest member there would be a hole
        redis.call('ZADD', key, '-' .. ARGV[i], ARGV[i])
      end
    end
    if not building and redis.call('ZCARD', key) > longest then
      redis.call('ZREMRANGEBYRANK', key, cap, -1)
    end
    written = written + 1
  end
end
return written
