"""The form of the settings of the site: the shape of what is entered."""

from __future__ import annotations

from flask_wtf import FlaskForm
from flask_wtf.file import FileField
from wtforms import BooleanField, HiddenField, RadioField, StringField, TextAreaField
from wtforms.fields.choices import SelectChoice  # type: ignore[attr-defined]  # newer than the stubs

from app.moderation.site_settings.operations import spelled_links
from app.site.models import APPROVAL, CLOSED, EVERYONE, INVITE, MEMBERS, MEMBERS_INVITE, OPEN, STAFF_INVITES
from app.site.settings import Started, Stored

SIGNUP_WORDS = {
    OPEN: "Open: anyone can sign up",
    INVITE: "By invite: only with a link from someone here",
    APPROVAL: "By approval: anyone can ask, and you or a moderator decides",
    CLOSED: "Closed: nobody can sign up",
}


class SiteForm(FlaskForm):
    """Every field is checked by the operation, so that whatever is wrong is said at once."""

    version = HiddenField()
    name = StringField("Name")
    description = StringField("Description")
    icon = FileField("Icon")
    remove_icon = BooleanField("Use Freshet’s own icon")
    colour = StringField("Colour")
    about = TextAreaField("About this site")
    rules = TextAreaField("Rules")
    privacy = TextAreaField("Privacy")
    contact = StringField("Contact")
    links = TextAreaField("Links in the footer")
    signups = RadioField("Who can sign up", validate_choice=False)
    inviters = RadioField(
        "Who can invite people",
        choices=[
            SelectChoice(STAFF_INVITES, "Admins and moderators"),
            SelectChoice(MEMBERS_INVITE, "Every member"),
        ],
        validate_choice=False,
    )
    audience = RadioField(
        "Who can see public posts",
        choices=[
            SelectChoice(EVERYONE, "Everyone, also people who aren’t logged in"),
            SelectChoice(MEMBERS, "Only members: to others the site is closed"),
        ],
        validate_choice=False,
    )
    post_max_chars = StringField("Longest post")
    celebrity_followers = StringField("Followers of a celebrity")

    def offer(self, started: Started) -> None:
        """Offer the ways to sign up, and to leave it to the server."""
        choices = [SelectChoice(value, words) for value, words in SIGNUP_WORDS.items()]
        as_started = SIGNUP_WORDS[started.signups].partition(":")[0].lower()
        self.signups.choices = [*choices, SelectChoice("", f"As the server was started: {as_started}")]


def shown(stored: Stored) -> dict[str, object]:
    """Return what the fields show of what is stored."""
    values = {name: "" if value is None else str(value) for name, value in stored._asdict().items()}
    return values | {"icon": None, "links": spelled_links(stored)}
