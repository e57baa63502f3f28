"""`python -m app.runtime.ephemeral COMMAND…`: run a command on throwaway servers and pass its exit code on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence

from app.runtime.console import complain
from app.runtime.failure import StartFailure
from app.runtime.servers import EphemeralServers, ephemeral_servers


def main(command: Sequence[str]) -> int:
    """Run the command with DATABASE_URL, REDIS_URL and FRESHET_DATA of servers that end with it."""
    if not command:
        complain("Usage: python -m app.runtime.ephemeral COMMAND [ARGUMENT…]")
        return 2
    try:
        with ephemeral_servers() as servers:
            return _run(command, servers)
    except StartFailure as failure:
        complain(failure.sentence, failure.log_lines)
        return 1
    except FileNotFoundError as error:
        complain(f"There is no command {error.filename}.")
        return 127


def _run(command: Sequence[str], servers: EphemeralServers) -> int:
    addresses = {
        "DATABASE_URL": servers.database_url,
        "REDIS_URL": servers.redis_url,
        "FRESHET_DATA": str(servers.data),
    }
    process = subprocess.Popen(command, env={**os.environ, **addresses})
    signal.signal(signal.SIGTERM, lambda number, frame: process.send_signal(number))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the command by itself; its exit code is the answer
    code = process.wait()
    return 128 - code if code < 0 else code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
