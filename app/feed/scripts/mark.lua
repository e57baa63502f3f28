-- Start to build a timeline that does not exist. KEYS: timeline; ARGV: token of the builder, seconds it may take.
if redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
redis.call('ZADD', KEYS[1], 1, 'm' .. ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[2])
return 1
