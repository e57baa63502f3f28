"""What those who run the site decided about a post, as columns of it: each holds until a moment."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import DateTime, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from app.core import clock


class Decided:
    """The part of `Post` that moderators set."""

    hidden_until: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))  # from all but its author
    held_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))  # by a rule, and hidden until looked at
    removed_until: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))  # from its author, too
    marked_until: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))  # as one to be warned of
    mark: Mapped[str] = mapped_column(Text, server_default=text("''"))  # that warning

    @property
    def is_hidden(self) -> bool:
        return clock.holds(self.hidden_until)

    @property
    def is_held(self) -> bool:
        return self.held_at is not None

    @property
    def is_removed(self) -> bool:
        return clock.holds(self.removed_until)

    @property
    def is_marked(self) -> bool:
        return clock.holds(self.marked_until)
