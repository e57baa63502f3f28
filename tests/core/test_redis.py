"""Connections to Redis are lent again as they come back, while they are good."""

from __future__ import annotations

import os

import pytest
from flask import Flask
from redis import Redis

from app.core.redis import connect


@pytest.fixture
def client(app: Flask) -> Redis:
    return connect(app.config["REDIS_URL"])


def test_a_connection_that_came_back_is_lent_again(client: Redis) -> None:
    pool = client.connection_pool
    first = pool.get_connection()
    second = pool.get_connection()
    assert first is not second, "two at once are two"
    pool.release(first)
    assert pool.get_connection() is first


def test_one_that_was_closed_meanwhile_is_opened_anew(app: Flask, client: Redis) -> None:
    number = client.client_id()
    connect(app.config["REDIS_URL"]).client_kill_filter(_id=str(number))
    assert client.ping() and client.client_id() != number


def test_one_with_an_answer_that_nobody_took_is_not_lent(client: Redis) -> None:
    pool = client.connection_pool
    connection = pool.get_connection()
    connection.send_command("ECHO", "of somebody else")  # type: ignore[no-untyped-call]
    assert connection.can_read(timeout=30)
    pool.release(connection)
    assert client.echo("mine") == b"mine"


def test_all_are_closed_with_the_pool(client: Redis) -> None:
    pool = client.connection_pool
    idle, lent = pool.get_connection(), pool.get_connection()
    pool.release(idle)
    pool.disconnect()
    assert not idle.is_connected and not lent.is_connected
    assert client.ping()


def test_a_forked_process_opens_its_own(client: Redis) -> None:
    assert client.ping()
    child = os.fork()
    if not child:
        os._exit(0 if client.connection_pool.get_connection().pid == os.getpid() else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert client.ping()
