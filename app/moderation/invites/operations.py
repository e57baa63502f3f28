"""Take back the invites of others, on the record."""

from __future__ import annotations

from app.accounts.joining.operations import revoke_invite
from app.accounts.models import User
from app.extensions import db
from app.moderation.log import actions
from app.moderation.log.operations import enter


def revoke(invite_id: int, *, by: User) -> bool:
    """Have an invite work no longer, and say whether it did until now."""
    invite = revoke_invite(invite_id, of=None)
    if invite is None:
        return False
    inviter = db.session.get_one(User, invite.inviter_id)
    before = {"uses_left": invite.max_uses - invite.uses}
    enter(actions.INVITE_REVOKED, inviter, by=by, reason="", before=before, after={"uses_left": 0})
    return True
