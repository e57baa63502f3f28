"""Start, watch and stop everything a site consists of. Knows processes, not posts."""
