-- Return the members of a timeline below a place; renew its expiry, unless it is being built.
-- KEYS: timeline; ARGV: lowest score, seconds to keep it.
local members = redis.call('ZRANGE', KEYS[1], ARGV[1], '+inf', 'BYSCORE')
local last = members[#members]
if last and string.sub(last, 1, 1) ~= 'm' then
  redis.call('EXPIRE', KEYS[1], ARGV[2])
end
return members
