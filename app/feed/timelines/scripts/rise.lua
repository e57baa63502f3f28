-- Return the oldest members of a timeline above a place, the oldest first, or nothing at all (false) where it cannot say:
-- cold, being built, or beginning above that place. Renew its expiry.
-- KEYS: timeline; ARGV: id of the place, seconds to keep it, how many members.
local last = redis.call('ZRANGE', KEYS[1], -1, -1)[1]
if not last or string.sub(last, 1, 1) == 'm' or tonumber(last) > tonumber(ARGV[1]) then
  return false
end
redis.call('EXPIRE', KEYS[1], ARGV[2])
return redis.call('ZRANGE', KEYS[1], '(-' .. ARGV[1], '-inf', 'BYSCORE', 'REV', 'LIMIT', 0, ARGV[3])
