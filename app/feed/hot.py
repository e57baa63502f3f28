"""Windows of pulled authors, kept in the process and used only while their version in Redis is the same."""

from __future__ import annotations

from app.feed.timeline import Window

MOST = 1000


class HotWindows:
    """What this process has read of authors' windows."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, int], tuple[bytes, Window]] = {}

    def get(self, generation: str, author_id: int, version: bytes | None) -> Window | None:
        """Return a window if it is still as it was when it had this version."""
        kept = self._kept.get((generation, author_id))
        return kept[1] if kept and version is not None and kept[0] == version else None

    def keep(self, generation: str, author_id: int, version: bytes | None, window: Window) -> None:
        """Remember a window that was read after its version."""
        if version is None:
            return
        if len(self._kept) >= MOST:
            self._kept.clear()
        self._kept[(generation, author_id)] = (version, window)


hot_windows = HotWindows()
