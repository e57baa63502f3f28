"""What every form does with input that an operation refuses."""

from __future__ import annotations

from flask_wtf import FlaskForm

from app.core.errors import Refused


def show_refusal(form: FlaskForm, refusal: Refused) -> None:
    """Say at the field of a form why what was entered there cannot be accepted."""
    form[refusal.field].errors = [str(refusal)]
