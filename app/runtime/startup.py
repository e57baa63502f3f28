"""The steps from nothing to a running site, each with its line on the console."""

from __future__ import annotations

import shlex
import sys
import time
from pathlib import Path

from app.runtime.console import say, step
from app.runtime.external import check_postgres, check_redis
from app.runtime.failure import StartFailure
from app.runtime.migrations import is_current
from app.runtime.port import check_port, is_healthy, site_url
from app.runtime.process import POLL_SECONDS, Process, wait_until
from app.runtime.servers import Postgres, Valkey
from app.runtime.servers.postgres import program as postgres_program
from app.runtime.servers.valkey import program as valkey_program
from app.runtime.service_user import ServiceUser, open_way, service_user
from app.runtime.settings import Settings
from app.runtime.supervisor import Supervisor

SECONDS_TO_SERVE = 60.0
SECONDS_TO_LEAVE = 15.0


def start_site(settings: Settings, supervisor: Supervisor, *, after_crash: bool, before_web: str | None) -> None:
    """Start everything in order and return when the site answers."""
    # After a crash the old web server may need a moment to leave the port.
    address = check_port(settings.host, settings.port, patience=SECONDS_TO_LEAVE if after_crash else 0)
    start_servers(settings, supervisor)
    migrate(settings)
    if before_web:
        run_before_web(before_web, settings)
    start_programs(settings, supervisor, address)
    say()
    say(f"Freshet is running at {site_url(address, settings.port)}   (Ctrl-C stops it)")
    say(f"Logs are in {shown(settings.data / 'log')}")


def start_servers(settings: Settings, supervisor: Supervisor) -> None:
    """Start the servers that the site brings itself and ask the others whether they answer."""
    user = service_user() if settings.own_postgres or settings.own_valkey else None
    _open_way_to_servers(settings, user)
    if settings.own_postgres:
        _start_postgres(Postgres(settings.data, user), supervisor)
    else:
        with step("Postgres at DATABASE_URL"):
            check_postgres(settings.database_url)
    if settings.own_valkey:
        with step("Valkey, in memory"):
            valkey = Valkey(settings.data, user)
            supervisor.adopt(valkey)
            valkey.start()
    else:
        with step("Redis at REDIS_URL"):
            check_redis(settings.redis_url)


def migrate(settings: Settings) -> None:
    """Bring the database's schema up to date."""
    with step("Database schema"):
        if is_current(settings.root, settings.database_url):
            return
        migration = _program("migrations", settings, "-m", "alembic", "upgrade", "head")
        if _run_to_end(migration) != 0:
            raise StartFailure("The database could not be brought up to date.", migration.log_lines())


def run_before_web(command: str, settings: Settings) -> None:
    """Run a command on the finished database, with its output on the console."""
    words = shlex.split(command)
    process = Process(words[0], words, env=settings.child_environment(), cwd=settings.root)
    if _run_to_end(process) != 0:
        raise StartFailure(f"`{command}` failed, so the site was not started.")


def start_programs(settings: Settings, supervisor: Supervisor, address: str) -> None:
    """Start the web server and, once it answers, the workers and the scheduler."""
    web = _web_server(settings, address)
    behind = [_program("scheduler", settings, "worker.py", "schedule")]
    for number in range(1, settings.job_workers + 1):
        name = "worker" if settings.job_workers == 1 else f"worker-{number}"
        behind.append(_program(name, settings, "worker.py", "work"))
    for process in (*behind, web):
        supervisor.adopt(process)
    with step(f"Web server, {_count(settings.job_workers, 'worker')} and scheduler"):
        web.launch()
        if not wait_until(lambda: is_healthy(address, settings.port), process=web, seconds=SECONDS_TO_SERVE):
            raise StartFailure("The web server did not start.", web.log_lines())
        # One of granian's processes answers, the others still load. Told to stop now, they would not hear it.
        wait_until(lambda: _serving(web) >= settings.web_workers, process=web, seconds=5)
        # Later, because four programs that load the application at once keep a small machine from answering;
        # nobody waits for them: a feed is complete while every worker is down.
        for process in behind:
            process.launch()


def shown(path: Path) -> str:
    """Return the path as short as it can be written from here."""
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


def _start_postgres(postgres: Postgres, supervisor: Supervisor) -> None:
    with step("Postgres 18, creating its data" if postgres.is_new else "Postgres 18 on its own data"):
        supervisor.adopt(postgres)
        postgres.start()


def _open_way_to_servers(settings: Settings, user: ServiceUser | None) -> None:
    if user is None:
        return
    needed = [settings.data / "postgres", Path(postgres_program("postgres")), Path(valkey_program())]
    for folder in open_way(user, *needed):
        say(f"    {folder}: others may now pass through (o+x), because the servers run as {user.name}")


def _program(name: str, settings: Settings, *arguments: str) -> Process:
    return Process(
        name,
        [sys.executable, *arguments],
        log=settings.data / "log" / f"{name}.log",
        env=settings.child_environment(),
        cwd=settings.root,
    )


def _web_server(settings: Settings, address: str) -> Process:
    options = {
        "--interface": "wsgi",
        "--host": address,
        "--port": str(settings.port),
        "--workers": str(settings.web_workers),
        # More than one, so that a client that stalls in the middle of a form stops nobody else (docs/decisions/0001).
        "--blocking-threads": "4",
        "--http": "1",
        "--backlog": "1024",
        "--workers-kill-timeout": "8",  # below the grace that the supervisor gives
    }
    switches = ["--no-ws", "--no-access-log", "--respawn-failed-workers"]
    words = [word for option in options.items() for word in option]
    return _program("web", settings, "-m", "granian", *words, *switches, "wsgi:app")


def _serving(web: Process) -> int:
    return sum("Started worker-" in line for line in web.log_lines())


def _run_to_end(process: Process) -> int | None:
    process.launch()
    try:
        while process.alive:
            time.sleep(POLL_SECONDS)
    finally:
        process.stop()
    return process.exit_code


def _count(number: int, noun: str) -> str:
    return noun if number == 1 else f"{number} {noun}s"
