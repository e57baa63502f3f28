"""What the dashboard shows of each day, counted once in a while so that no page counts it."""

from __future__ import annotations

from datetime import date, datetime

from sqlalchemy import BigInteger, Date, DateTime, func
from sqlalchemy.orm import Mapped, mapped_column

from app.extensions import Model


class SiteDay(Model):
    """One day of the site, in UTC: as it was when it was last measured, which is its end if it is over."""

    __tablename__ = "site_days"

    day: Mapped[date] = mapped_column(Date, primary_key=True)
    people: Mapped[int] = mapped_column(BigInteger)
    joined: Mapped[int] = mapped_column(BigInteger)
    active: Mapped[int] = mapped_column(BigInteger)  # on this day
    active_month: Mapped[int] = mapped_column(BigInteger)  # in the thirty days up to it
    posts: Mapped[int] = mapped_column(BigInteger)
    measured_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), server_default=func.now())
