"""The folders of the embedded servers, with the owners and modes that keep everybody else out."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import config
from app.runtime.failure import StartFailure
from app.runtime.service_user import ServiceUser


def make_data_folder(data: Path) -> None:
    """Create the data folder and its log folder; say in a sentence why that fails."""
    try:
        data.mkdir(parents=True, exist_ok=True)
        (data / "log").mkdir(mode=0o700, exist_ok=True)
        probe = data / f".writable.{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise StartFailure(
            f"The data folder {data} cannot be written to ({error.strerror}). Choose another: FRESHET_DATA=/some/folder"
        ) from error


def make_private_folder(folder: Path, user: ServiceUser | None) -> None:
    """Create a folder that only the servers' user (and root) can enter, and make all of it theirs."""
    folder.mkdir(mode=0o700, exist_ok=True)
    owner = folder.stat().st_uid
    if user is not None:
        user.own(folder)
    elif owner != os.geteuid():
        raise StartFailure(
            f"{folder} belongs to another user (uid {owner}). Start Freshet as that user, or give yourself the folder: "
            f'chown -R "$USER" {folder.parent}'
        )
    folder.chmod(0o700)


def make_socket_folder(data: Path, user: ServiceUser | None) -> Path:
    """Create the folder of the sockets and return it; every user who can enter it is trusted."""
    folder = config.socket_folder(data)
    if folder.is_symlink() or (folder.exists() and folder.stat().st_uid not in _ours(user)):
        # Another user's, perhaps laid out for us in /tmp. It holds only sockets, so a new one loses nothing.
        _throw_away(folder)
    make_private_folder(folder, user)
    return folder


def _ours(user: ServiceUser | None) -> set[int]:
    return {os.geteuid(), user.uid} if user else {os.geteuid()}


def _throw_away(folder: Path) -> None:
    try:
        folder.unlink() if folder.is_symlink() else shutil.rmtree(folder)
    except OSError as error:
        raise StartFailure(f"{folder} belongs to another user and is in the way: {error.strerror}") from error
