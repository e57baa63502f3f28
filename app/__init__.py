"""Freshet: a social feed that a small team hosts itself."""

from __future__ import annotations

from typing import Any

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from app import cli, subscribers
from app.accounts import sessions
from app.core import database
from app.core.modules import modules_named
from app.core.redis import storage_url
from app.extensions import csrf, db, limiter, login_manager, redis
from app.feed.timelines import generation
from app.outbox.rows import Subscriptions
from app.site import settings
from app.web import errors, hooks, security
from app.web.application import Freshet
from config import load_config


def create_app(**overrides: Any) -> Flask:
    """Make the application; `overrides` win over the settings from the environment."""
    app = Freshet(__name__)
    app.config.update(load_config() | overrides)
    _bind_extensions(app)
    app.drop_idle_hooks()
    hooks.register(app)
    errors.register_error_pages(app)
    for routes in modules_named("routes"):
        app.register_blueprint(routes.bp)
    cli.register(app)
    return app


def _bind_extensions(app: Flask) -> None:
    app.session_interface = security.SessionInterface(app)
    db.init_app(app)
    with app.app_context():
        database.register(app, db.engine)
    settings.register(app)
    app.config["WTF_CSRF_CHECK_DEFAULT"] = False  # `hooks.register` calls it, after what must come before
    csrf.init_app(app)
    redis.init_app(app)
    redis.on_run_id(generation.see_run_id)
    app.config.setdefault("RATELIMIT_STORAGE_URI", storage_url(app.config["REDIS_URL"]))
    app.config.setdefault("RATELIMIT_STORAGE_OPTIONS", {"socket_timeout": 0.2, "socket_connect_timeout": 0.2})
    limiter.init_app(app)
    app.extensions["freshet.limiter"] = limiter
    login_manager.init_app(app, add_context_processor=False)  # templates have `viewer`
    login_manager.user_loader(sessions.load_user)
    app.extensions["freshet.subscriptions"] = Subscriptions(
        subscribers.JOBS, subscribers.FOLLOWS_FROM, subscribers.IN_BATCHES, subscribers.ERRANDS
    )
    if hops := app.config["TRUSTED_PROXIES"]:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops)  # type: ignore[method-assign]
