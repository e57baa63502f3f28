"""Load cases for a route; the guard has seen to it that the viewer moderates."""

from __future__ import annotations

from werkzeug.exceptions import NotFound

from app.accounts.viewer import viewer_id
from app.core.errors import NotAllowed
from app.extensions import db
from app.moderation.reports.models import Case


def load_case(case_id: int) -> Case:
    """Return a case, 404 if there is none; nobody reads who reported themselves, nor decides about it."""
    case = db.session.get(Case, case_id)
    if case is None:
        raise NotFound("There’s no such report.")
    if case.person_id == viewer_id():
        raise NotAllowed("This report is about you. Someone else who runs this site has to look at it.")
    return case
