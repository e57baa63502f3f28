-- Finish a build, if the marker is still this builder's own: another builder may have begun with a later snapshot.
-- KEYS: timeline; ARGV: token, cap, seconds to keep it, '1' if the ids are all there are, ids (oldest first).
local marker = 'm' .. ARGV[1]
if not redis.call('ZSCORE', KEYS[1], marker) then
  return 0
end
for i = 5, #ARGV do
  redis.call('ZADD', KEYS[1], '-' .. ARGV[i], ARGV[i])
end
if ARGV[4] == '1' then
  redis.call('ZADD', KEYS[1], 0, '0')               -- the floor: the window reaches to the beginning of time
end
redis.call('ZREM', KEYS[1], marker)
redis.call('ZREMRANGEBYRANK', KEYS[1], ARGV[2], -1)
redis.call('EXPIRE', KEYS[1], ARGV[3])
return 1
