"""Freshet: a social feed that a small team hosts itself."""

from __future__ import annotations

from typing import Any

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from app import cli, subscribers
from app.accounts import sessions
from app.accounts.routes import bp as accounts_bp
from app.accounts.settings.routes import bp as settings_bp
from app.core import database
from app.core.redis import storage_url
from app.discovery.search.routes import bp as discovery_bp
from app.extensions import csrf, db, limiter, login_manager, redis
from app.feed.admin.routes import bp as feed_admin_bp
from app.feed.home.routes import bp as feed_bp
from app.feed.preferences.routes import bp as feed_settings_bp
from app.feed.timelines import generation
from app.outbox.rows import Subscriptions
from app.posts.editing.routes import bp as editing_bp
from app.posts.filters.routes import bp as hiding_bp
from app.posts.media.routes import bp as images_bp
from app.posts.reactions.routes import bp as reactions_bp
from app.posts.tags.routes import bp as tags_bp
from app.posts.writing.routes import bp as posts_bp
from app.profiles.routes import bp as lists_bp
from app.social.privacy.routes import bp as privacy_bp
from app.social.relations.routes import bp as social_bp
from app.social.requests.routes import bp as requests_bp
from app.web import errors, hooks, security
from config import load_config

BLUEPRINTS = (
    accounts_bp,
    settings_bp,
    social_bp,
    requests_bp,
    privacy_bp,
    posts_bp,
    editing_bp,
    reactions_bp,
    lists_bp,
    images_bp,
    hiding_bp,
    tags_bp,
    feed_bp,
    feed_settings_bp,
    feed_admin_bp,
    discovery_bp,
)


def create_app(**overrides: Any) -> Flask:
    """Make the application; `overrides` win over the settings from the environment."""
    app = Flask(__name__)
    app.config.update(load_config() | overrides)
    _bind_extensions(app)
    hooks.register(app)
    errors.register_error_pages(app)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    cli.register(app)
    return app


def _bind_extensions(app: Flask) -> None:
    app.session_interface = security.SessionInterface(app)
    db.init_app(app)
    with app.app_context():
        database.register(app, db.engine)
    app.config["WTF_CSRF_CHECK_DEFAULT"] = False  # `web.register` calls it, after what must come before
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
        subscribers.JOBS, subscribers.FOLLOWS_FROM, subscribers.IN_BATCHES
    )
    if hops := app.config["TRUSTED_PROXIES"]:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops)  # type: ignore[method-assign]
