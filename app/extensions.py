"""The instances that the whole application shares. `create_app` binds them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask_limiter import Limiter
from flask_login import LoginManager
from flask_sqlalchemy import SQLAlchemy
from flask_wtf import CSRFProtect
from sqlalchemy import MetaData
from sqlalchemy.orm import DeclarativeBase

from app.core.database import ReadingSession
from app.core.redis import RedisGate
from app.web.limits import client_address


class Base(DeclarativeBase):
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


db = SQLAlchemy(model_class=Base, session_options={"class_": ReadingSession})
if TYPE_CHECKING:
    Model = Base  # what `db.Model` is, said in a way that mypy follows
else:
    Model = db.Model

csrf = CSRFProtect()
# Without Redis it counts in memory. Of several threads that find Redis away at once only the first is sent there by the
# library; for the others it raises, so that one request goes uncounted rather than unanswered.
limiter = Limiter(key_func=client_address, headers_enabled=False, in_memory_fallback_enabled=True, swallow_errors=True)
login_manager = LoginManager()
# It would mark a session as no longer fresh, and send its cookie anew, where address or browser have changed: nothing
# here asks whether a session is fresh, and a session can be ended by its row.
login_manager.session_protection = None
redis = RedisGate()
