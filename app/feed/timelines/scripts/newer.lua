-- Return the members of a timeline above a place, or nothing at all (false) where it cannot say:
-- cold, being built, or beginning above that place. KEYS: timeline; ARGV: id of the place.
local last = redis.call('ZRANGE', KEYS[1], -1, -1)[1]
if not last or string.sub(last, 1, 1) == 'm' or tonumber(last) > tonumber(ARGV[1]) then
  return false
end
return redis.call('ZRANGE', KEYS[1], '-inf', '(-' .. ARGV[1], 'BYSCORE')
