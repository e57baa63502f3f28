"""The form that keeps people from signing up."""

from __future__ import annotations

from flask_wtf import FlaskForm
from wtforms import RadioField, StringField
from wtforms.fields.choices import SelectChoice  # type: ignore[attr-defined]  # newer than the stubs

from app.accounts.blocks.models import DOMAIN, HANDLE, NETWORK

KINDS = {DOMAIN: "Email domain", NETWORK: "Range of addresses", HANDLE: "Handles"}


class BlockForm(FlaskForm):
    kind = RadioField(
        "What", choices=[SelectChoice(name, words) for name, words in KINDS.items()], validate_choice=False
    )
    value = StringField("Which")
    sentence = StringField("Sentence")
