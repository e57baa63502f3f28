"""Windows of authors and tags, kept in the process and used only while their version in Redis is the same."""

from __future__ import annotations

from app.feed.timelines.keys import Source, Window

MAX_KEPT_WINDOWS = 1000


class ProcessCache:
    """What this process has read of the windows that are merged."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, Source], tuple[bytes, Window]] = {}

    def get(self, generation: str, source: Source, version: bytes | None) -> Window | None:
        """Return a window if it is still as it was when it had this version."""
        kept = self._kept.get((generation, source))
        return kept[1] if kept and version is not None and kept[0] == version else None

    def keep(self, generation: str, source: Source, version: bytes | None, window: Window) -> None:
        """Remember a window that was read after its version."""
        if version is None:
            return
        if len(self._kept) >= MAX_KEPT_WINDOWS:
            self._kept.clear()
        self._kept[(generation, source)] = (version, window)


process_cache = ProcessCache()
