-- Return the newest members of a timeline below a place and, after them, its very last member, which says whether it is
-- being built and where it ends. Renew its expiry, unless it is being built.
-- KEYS: timeline; ARGV: lowest score, seconds to keep it, how many members.
local last = redis.call('ZRANGE', KEYS[1], -1, -1)[1]
if not last then
  return {}
end
if string.sub(last, 1, 1) ~= 'm' then
  redis.call('EXPIRE', KEYS[1], ARGV[2])
end
local members = redis.call('ZRANGE', KEYS[1], ARGV[1], '+inf', 'BYSCORE', 'LIMIT', 0, ARGV[3])
members[#members + 1] = last
return members
