"""The user that the embedded servers run as: our own, or, because Postgres refuses root, another system user."""

from __future__ import annotations

import os
import pwd
import shutil
import stat
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

OWN_NAME = "freshet"
FALLBACK_NAME = "nobody"


class PopenArguments(TypedDict, total=False):
    """What makes subprocess change the user."""

    user: int
    group: int
    extra_groups: list[int]
    umask: int


@dataclass(frozen=True)
class ServiceUser:
    """A system user that owns the embedded servers' processes and files."""

    name: str
    uid: int
    gid: int

    def popen_arguments(self) -> PopenArguments:
        """Return the arguments with which subprocess starts a program as this user."""
        return {"user": self.uid, "group": self.gid, "extra_groups": [], "umask": 0o077}

    def own(self, path: Path) -> None:
        """Make the user the owner of `path` and of all it holds."""
        if path.stat().st_uid == self.uid:
            return
        for folder, _, files in os.walk(path):
            for name in [".", *files]:
                os.chown(Path(folder) / name, self.uid, self.gid, follow_symlinks=False)

    def missing_right(self, folder: Path) -> int:
        """Return the mode bit that keeps the user from passing through `folder`; 0 if none does."""
        status = folder.stat()
        if status.st_uid == self.uid:
            needed = stat.S_IXUSR
        elif status.st_gid == self.gid:
            needed = stat.S_IXGRP
        else:
            needed = stat.S_IXOTH
        return needed & ~status.st_mode


def service_user() -> ServiceUser | None:
    """Return the user for the servers, created if need be; None when we are not root and need no other."""
    if os.geteuid() != 0:
        return None
    return _user(OWN_NAME) or _created_user() or _user(FALLBACK_NAME)


def open_way(user: ServiceUser | None, *paths: Path) -> list[Path]:
    """Let `user` pass through the folders above each path; return the folders whose mode had to change."""
    if user is None:
        return []
    above = {folder for path in paths for folder in path.resolve().parents}
    closed = [folder for folder in sorted(above) if user.missing_right(folder)]
    for folder in closed:
        folder.chmod(stat.S_IMODE(folder.stat().st_mode) | user.missing_right(folder))
    return closed


def _user(name: str) -> ServiceUser | None:
    try:
        entry = pwd.getpwnam(name)
    except KeyError:
        return None
    return ServiceUser(name, entry.pw_uid, entry.pw_gid)


def _created_user() -> ServiceUser | None:
    if shutil.which("useradd"):
        command = ["useradd", "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", OWN_NAME]
        subprocess.run(command, capture_output=True, check=False)
    return _user(OWN_NAME)  # looked up even after a failure: another start may have created it at the same time
