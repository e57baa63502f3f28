"""The shape of a new post."""

from __future__ import annotations

from flask_wtf import FlaskForm
from wtforms import TextAreaField


class PostForm(FlaskForm):
    text = TextAreaField("Write a post")
