"""A slow network between a browser and the site: each request takes its time, also when its page is closed."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace

from tests.system.web import ADDRESS, WebSite

SECONDS = 1.5  # a request is on its way
KEPT = b"GET /static/"  # a browser has these files already


@dataclass
class Road:
    """Carries bytes between browsers and the site, and delays every request."""

    site: WebSite
    loop: asyncio.AbstractEventLoop
    port: int = 0

    async def open(self) -> None:
        server = await asyncio.start_server(self._meet, ADDRESS, 0)
        self.port = server.sockets[0].getsockname()[1]

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection(ADDRESS, self.site.port)
        with suppress(asyncio.CancelledError):  # the test has ended
            await asyncio.gather(
                self._carry(reader, far_writer, seconds=SECONDS), self._carry(far_reader, writer, seconds=0)
            )

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, seconds: float) -> None:
        with suppress(ConnectionError):
            while carried := await reader.read(1 << 16):
                await asyncio.sleep(0 if carried.startswith(KEPT) else seconds)
                writer.write(carried)
                await writer.drain()
        writer.close()


@contextmanager
def slowly(site: WebSite) -> Iterator[WebSite]:
    """Lead to a site by a road on which every request takes a second and a half."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        road = Road(site, loop)
        asyncio.run_coroutine_threadsafe(road.open(), loop).result(timeout=10)
        yield replace(site, port=road.port)
    finally:
        asyncio.run_coroutine_threadsafe(_cancel_all(), loop).result(timeout=10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _cancel_all() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
