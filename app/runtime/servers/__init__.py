"""Real servers from wheels: Postgres and Valkey, on Unix sockets in a folder that only we can enter."""

from app.runtime.servers.postgres import Postgres
from app.runtime.servers.throwaway import EphemeralServers, ephemeral_servers
from app.runtime.servers.valkey import Valkey

__all__ = ["EphemeralServers", "Postgres", "Valkey", "ephemeral_servers"]
