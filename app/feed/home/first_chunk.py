"""How many candidates a page of a home is likely to take: a guess that only saves work, kept by each process."""

from __future__ import annotations

SPARE = 2  # candidates that may be hidden besides as many as were hidden last time
MAX_KEPT_READERS = 10_000


class FirstChunks:
    """How many candidates each reader's last full page left out.

    A reader to whom everything is shown needs few more candidates than fit on the page; for the others the first chunk
    stays as large as it may be, since a second one costs more than the few rows that are saved.
    """

    def __init__(self) -> None:
        self._left_out: dict[int, int] = {}

    def size(self, reader_id: int, page_size: int, *, most: int) -> int:
        """Return how many candidates to read at first, up to `most`."""
        left_out = self._left_out.get(reader_id)
        return most if left_out is None else min(page_size + left_out + SPARE, most)

    def note(self, reader_id: int, page_size: int, *, taken: int) -> None:
        """Remember how many candidates a full page took."""
        if len(self._left_out) >= MAX_KEPT_READERS:
            self.forget()
        self._left_out[reader_id] = taken - page_size

    def forget(self) -> None:
        """Begin anew."""
        self._left_out = {}


first_chunks = FirstChunks()
