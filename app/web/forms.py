"""What every form does with input that an operation refuses."""

from __future__ import annotations

from flask_wtf import FlaskForm

from app.core.errors import Refused, SeveralRefused


def show_refusal(form: FlaskForm, refusal: Refused) -> None:
    """Say at each field of a form why what was entered there cannot be accepted; what is about none of them, above."""
    for each in refusal.refusals if isinstance(refusal, SeveralRefused) else [refusal]:
        if each.field in form:
            form[each.field].errors = [str(each)]
        else:
            form.form_errors.append(str(each))
