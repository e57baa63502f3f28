-- Start to build a timeline that does not exist. KEYS: timeline; ARGV: token of the builder, seconds it may take.
if redis.call('EXISTS', KEYS[1]) == 1 then
  return redis.call('ZSCORE', KEYS[1], 'm' .. ARGV[1]) and 1 or 0   -- ours already, from a try that was interrupted
end
redis.call('ZADD', KEYS[1], 1, 'm' .. ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[2])
return 1
