"""`python -m app.runtime`: start a whole site and stay until it is stopped. What `make run` runs."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import config
from app.runtime.console import complain, say, step
from app.runtime.failure import StartFailure
from app.runtime.lock import DataLock
from app.runtime.servers.folders import make_data_folder
from app.runtime.settings import Settings
from app.runtime.startup import shown, start_site
from app.runtime.stop_signals import StopRequested, StopSignals
from app.runtime.supervisor import Supervisor


def main() -> int:
    """Run the site; exit code 0 when it was asked to stop, 1 with a sentence when it could not start."""
    parser = argparse.ArgumentParser(prog="python -m app.runtime", description="Start a whole Freshet site.")
    parser.add_argument("--root", type=Path, default=config.ROOT, help="folder with wsgi.py, worker.py and alembic.ini")
    parser.add_argument("--before-web", metavar="COMMAND", help="run this on the finished database first")
    options = parser.parse_args()
    signals = StopSignals()
    signals.listen()
    try:
        _run(options.root.resolve(), options.before_web, signals)
    except StopRequested:
        say("Stopped.")
    except (StartFailure, config.BadSetting) as failure:
        complain(str(failure), getattr(failure, "log_lines", ()))
        return 1
    except OSError as error:  # a file that belongs to another user, a full disk
        complain(f"Freshet cannot work with {error.filename}: {error.strerror}")
        return 1
    return 0


def _run(root: Path, before_web: str | None, signals: StopSignals) -> None:
    data = config.data_folder()
    supervisor = Supervisor()
    make_data_folder(data)
    with DataLock(data) as lock:
        try:
            with step(f"Settings, data in {shown(data)}"):
                settings = Settings.load(root)
            start_site(settings, supervisor, after_crash=lock.after_crash, before_web=before_web)
            supervisor.watch()
        except StopRequested:
            say("\nStopping …")
            raise
        finally:
            signals.stop_raising()
            supervisor.stop(hurried=signals.hurried)


if __name__ == "__main__":
    sys.exit(main())
