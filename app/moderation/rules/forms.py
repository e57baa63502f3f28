"""The form of a rule."""

from __future__ import annotations

from flask_wtf import FlaskForm
from wtforms import BooleanField, RadioField, StringField, TextAreaField
from wtforms.fields.choices import SelectChoice  # type: ignore[attr-defined]  # newer than the stubs

from app.core.errors import Refused
from app.moderation.rules.operations import (
    MOST_DAYS,
    MOST_MENTIONS,
    MOST_POSTS,
    BadAge,
    BadLinks,
    BadMentions,
    Draft,
)
from app.posts.rules.models import FLAG, HOLD, REFUSE, WARN, Rule

# What each action is called, and what it means.
ACTIONS = {
    FLAG: ("Flag it", "It’s posted as usual, and listed on the page of this rule."),
    WARN: ("Add a content warning", "People see the warning first. A warning of the author’s own stays."),
    HOLD: ("Hold it for review", "Only its author sees it until one of you approves it."),
    REFUSE: ("Refuse it", "It isn’t posted. Its author reads your sentence, and can change the text."),
}
# Which numbers are possible, and what is said of others.
NUMBERS: dict[str, tuple[int, int, type[Refused]]] = {
    "younger_than": (1, MOST_DAYS, BadAge),
    "links_over": (0, MOST_POSTS, BadLinks),
    "mentions_over": (0, MOST_MENTIONS, BadMentions),
}


class RuleForm(FlaskForm):
    """What a rule asks of a post, and what happens then."""

    name = StringField("Name")
    phrases = TextAreaField("Words and phrases")
    is_whole_word = BooleanField("Whole words only", default=True)
    domains = TextAreaField("Links to")
    younger_than = StringField("Account younger than, in days")
    links_over = StringField("More posts with links in a day than")
    mentions_over = StringField("More mentions in an hour than")
    action = RadioField(
        "What happens", choices=[SelectChoice(name, words[0]) for name, words in ACTIONS.items()], validate_choice=False
    )
    sentence = StringField("Sentence")

    def draft(self) -> Draft:
        """Return the rule as it was typed, or say which number is none."""
        return Draft(
            name=self.name.data or "",
            action=self.action.data or "",
            sentence=self.sentence.data or "",
            phrases=self.phrases.data or "",
            is_whole_word=bool(self.is_whole_word.data),
            domains=self.domains.data or "",
            **{name: self._number(name) for name in NUMBERS},
        )

    def _number(self, name: str) -> int | None:
        typed, (least, most, wrong) = (self[name].data or "").strip(), NUMBERS[name]
        if not typed:
            return None
        if not (typed.isascii() and typed.isdigit() and len(typed) < 6 and least <= int(typed) <= most):
            raise wrong(f"Write a number from {least} to {most}, or leave it empty.")
        return int(typed)


def form_for(rule: Rule) -> RuleForm:
    """Return the form as it is for a rule."""
    names = ("name", "phrases", "is_whole_word", "domains", *NUMBERS, "action", "sentence")
    values = {name: getattr(rule, name) for name in names}
    return RuleForm(formdata=None, **{name: "" if value is None else value for name, value in values.items()})
