"""What figures are taken on: throwaway servers with the population, the application, and people who are logged in."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from html import unescape
from http import HTTPStatus
from pathlib import Path

from alembic import command
from alembic.config import Config as AlembicConfig
from flask import Flask
from redis import Redis
from sqlalchemy import select, text

import config
from app import create_app
from app.accounts import sessions
from app.accounts.models import User
from app.core.paging import PAGE_SIZE
from app.core.redis import connect
from app.extensions import db
from app.posts.models import Post
from app.runtime.console import step
from app.runtime.servers import EphemeralServers
from bench import web, windows
from bench.data import FOLLOWED_BY_MANY, Cast, Scale, populate
from bench.load import Ask, Line, WrongAnswer, press
from bench.rich import REPLIES
from bench.servers import Population, kept_servers, throwaway_servers

MEMORY = "6gb"  # the embedded server takes 256 MB, and throws away timelines that have not been read for long


@dataclass(frozen=True)
class Browser:
    """Somebody's browser, logged in."""

    cookie: str

    def home(self) -> Ask:
        """Return the request for a full first page of their feed."""
        return Ask("/", cookie=self.cookie, articles=PAGE_SIZE)

    def post(self, text: str, *, csrf_token: str) -> Ask:
        """Return the request that their composer sends; the answer holds the new card."""
        headers = {"HX-Request": "true", "X-CSRFToken": csrf_token}
        return Ask("/posts", cookie=self.cookie, form={"text": text}, headers=headers, articles=1)


@dataclass
class Stage:
    """The servers, the people and the sizes of one run. Web servers are started when first asked for."""

    servers: EphemeralServers
    scale: Scale
    app: Flask
    redis: Redis
    cast: Cast
    generation: str  # under which the windows of the cast are warm
    _cleanup: ExitStack = field(repr=False)
    _servers: dict[str, web.Server] = field(default_factory=dict)
    _browsers: dict[int, Browser] = field(default_factory=dict)

    def browser(self, user_id: int) -> Browser:
        """Return the browser of somebody of the cast."""
        if user_id not in self._browsers:
            self._browsers[user_id] = _log_in(self.app, user_id)
        return self._browsers[user_id]

    @property
    def readers(self) -> list[Browser]:
        """Return those who follow 50."""
        return [self.browser(user_id) for user_id in self.cast.readers]

    @property
    def rich(self) -> list[Browser]:
        """Return those whose feed has all kinds of entries, and who have settings of all kinds."""
        return [self.browser(user_id) for user_id in self.cast.rich_readers]

    @property
    def filtering(self) -> Browser:
        """Return the one who follows 50 and some tags, and has word filters."""
        return self.browser(self.cast.filtering)

    @property
    def many(self) -> Browser:
        """Return the one who follows 5,000."""
        return self.browser(self.cast.following[FOLLOWED_BY_MANY])

    @cached_property
    def crowd(self) -> windows.Crowd:
        """Return the full timelines of everybody else; made when first asked for."""
        with step(f"{self.scale.crowd:,} timelines of {self.app.config['FEED_WINDOW']} entries and more"):
            return windows.fill_crowd(self.app, self.redis, self.cast)

    def check_warm(self) -> None:
        """Refuse to go on if a page of the cast would not come from the windows in Redis."""
        windows.check_warm(self.app, self.redis, self.generation, self.cast)

    def discard_work(self) -> None:
        """Forget posts that nobody needs to get: followers of the writers in question do not read."""
        windows.discard_work(self.app, self.redis)

    @property
    def site(self) -> web.Server:
        """Return the site as `make run` starts it."""
        if "site" not in self._servers:
            self._servers["site"] = self._cleanup.enter_context(web.as_run(web.SITE))
            self.warm_up(self._servers["site"])
        return self._servers["site"]

    @property
    def bare(self) -> web.Server:
        """Return the bare pages, on the same kind of server."""
        if "bare" not in self._servers:
            self._servers["bare"] = self._cleanup.enter_context(web.as_run(web.BARE))
        return self._servers["bare"]

    def rival(self, name: str) -> web.Server:
        """Return the site on one of the other kinds of server."""
        if name not in self._servers:
            self._servers[name] = self._cleanup.enter_context(web.rival(name))
            self.warm_up(self._servers[name])
        return self._servers[name]

    @property
    def homes(self) -> list[Ask]:
        """Return the home page of each reader who follows few, for one connection each."""
        return [reader.home() for reader in self.readers]

    @property
    def rich_homes(self) -> list[Ask]:
        """Return the home page of each rich reader."""
        return [reader.home() for reader in self.rich]

    @property
    def news(self) -> list[Ask]:
        """Return the request that the script of each reader's page just shown sends; nothing new is a 204."""
        return [_as_the_pill_asks(self.app, reader) for reader in self.readers]

    @property
    def profiles(self) -> list[Ask]:
        """Return the profile of a loud author with all kinds of entries, as each reader asks for it."""
        path = f"/@person_{self.cast.rich_authors[0]}"
        return [Ask(path, cookie=reader.cookie, articles=PAGE_SIZE) for reader in self.readers]

    @property
    def permalinks(self) -> list[Ask]:
        """Return the page of the post with twenty replies, as each reader asks for it."""
        with self.app.app_context():
            first = select(Post.id).where(Post.author_id == self.cast.asker, Post.reply_to_id.is_(None))
            path = f"/@person_{self.cast.asker}/{db.session.scalars(first).one()}"
        return [Ask(path, cookie=reader.cookie, articles=1 + REPLIES) for reader in self.readers]

    def next_ids(self, number: int) -> list[int]:
        """Draw ids of posts that nobody wrote: newer than whatever the windows hold."""
        with self.app.app_context():
            return [db.session.execute(text("SELECT next_id()")).scalar_one() for _ in range(number)]

    def warm_up(self, server: web.Server) -> None:
        """Let every worker compile its templates and prepare its statements."""
        homes = [*self.homes, *self.rich_homes, self.many.home(), self.filtering.home()]
        press(server.port, homes, seconds=min(2.0, 2 * self.scale.seconds))

    def page_bytes(self, asks: Sequence[Ask]) -> int:
        """Return how large pages are, on average."""
        line = Line(self.site.port)
        sizes = [len(line.ask(ask).body) for ask in asks]
        line.close()
        return sum(sizes) // len(sizes)

    def csrf_token(self, browser: Browser) -> str:
        """Return the token that a person's pages carry."""
        line = Line(self.site.port)
        page = line.ask(Ask("/", cookie=browser.cookie)).body.decode()
        line.close()
        found = re.search(r'"X-CSRFToken": "([^"]+)"', page)
        assert found is not None, "the page carries no token"
        return found[1]


@contextmanager
def stage(scale: Scale, *, keep: Path | None = None) -> Iterator[Stage]:
    """Set everything up for the length of the block and leave nothing of it, but data in the folder to keep it in."""
    population = Population(keep.resolve(), scale) if keep else None
    is_there = population.is_there() if population else False
    if population and not is_there:
        population.note(is_whole=False)
    with ExitStack() as cleanup:
        with step("Postgres and Valkey of its own"):
            servers = cleanup.enter_context(kept_servers(population.folder) if population else throwaway_servers())
            os.environ.update(
                DATABASE_URL=servers.database_url,
                REDIS_URL=servers.redis_url,
                FRESHET_DATA=str(servers.data),
                FRESHET_RATE_LIMITS="off",  # a person does not read three hundred pages a second
            )
            command.upgrade(AlembicConfig(config.ROOT / "alembic.ini"), "head")
        if not is_there:
            with step(f"{scale.posts:,} posts, {scale.crowd:,} people"):
                populate(servers.database_url, scale)
        if population:
            population.note(is_whole=True)
        app, cast = create_app(), Cast.of(scale)
        client = cleanup.enter_context(connect(servers.redis_url, timeout=60))
        client.config_set("maxmemory", MEMORY)
        windows.discard_work(app, client)  # an interrupted run may have left some
        with step("Timelines of those who read"):
            generation = windows.warm_cast(app, client, cast)
        yield Stage(servers, scale, app, client, cast, generation, _cleanup=cleanup)


def _log_in(app: Flask, user_id: int) -> Browser:
    """Start a session as a log-in with "remember me" would, and return its cookie."""
    client = app.test_client()
    with client.session_transaction() as session, app.app_context():
        user = db.session.get_one(User, user_id)
        sessions.start(user, remember=True, agent="bench", address="127.0.0.1")
        session.update(_user_id=user.get_id(), _fresh=True, csrf_token="0123456789abcdef", _permanent=True)
        db.session.commit()
    client.get("/")  # a browser keeps what it gets: the cookie says what its reader has seen
    name = app.config["SESSION_COOKIE_NAME"]
    cookie = client.get_cookie(name)
    assert cookie is not None, "no session was saved"
    return Browser(f"{name}={cookie.value}")


def _as_the_pill_asks(app: Flask, reader: Browser) -> Ask:
    page = app.test_client(use_cookies=False).get("/", headers={"Cookie": reader.cookie}).text
    found = re.search(r'id="pill"[^>]* hx-get="([^"]+)"', page)
    if found is None:
        raise WrongAnswer("the page has no place for new posts")
    path, headers = unescape(found[1]), {"HX-Request": "true"}
    return Ask(path, cookie=reader.cookie, headers=headers, status=HTTPStatus.NO_CONTENT)
