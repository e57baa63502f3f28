"""The page of a post: what it answers, how its author went on, what others said, and the cards of all of that."""

from __future__ import annotations

from dataclasses import dataclass

from app.accounts.models import User
from app.extensions import db
from app.posts.cards.cards import PostCard
from app.posts.cards.reading import cards_for
from app.posts.models import Post, PostCounters
from app.posts.threads import tree as threads
from app.posts.threads.statements import LONGEST_CHAIN
from app.posts.threads.tree import Above, Place
from app.web.paging import Page, read_page


@dataclass(frozen=True)
class Conversation:
    """The surroundings of a post; whatever has a place but no card is not shown, and says why."""

    above: Above
    chain: tuple[Place, ...]
    page: Page[Place]
    cards: dict[int, PostCard]
    quotes: int

    @property
    def chain_goes_on(self) -> bool:
        """Say whether the author may have gone on for longer than is shown."""
        return len(self.chain) == LONGEST_CHAIN


def read_conversation(post: Post | Place, *, viewer: User | None) -> Conversation:
    """Return what surrounds a post, in a fixed number of statements. Of one that left no row, only what hangs below."""
    above, chain = Above(), tuple[Place, ...]()
    if isinstance(post, Post):
        if post.reply_to_id and post.thread_id:
            above = threads.above(post.reply_to_id, post.thread_id, viewer=viewer)
        chain = threads.chain(post.id, post.author_id, viewer=viewer)
    head = chain[0].id if chain else None
    page = read_page(
        f"replies:{post.id}",
        lambda after: threads.replies(post.id, viewer=viewer, after=after, but=head),
        viewer_id=viewer.id if viewer else None,
    )
    chain = chain if page.is_first else ()
    shown = [post.id, *threads.ids_in((*above.places, *chain, *page.items))]
    cards = {card.id: card for card in cards_for(shown, viewer=viewer, muted_too=True)}
    counters = db.session.get(PostCounters, post.id)
    return Conversation(above, chain, page, cards, counters.quotes if counters else 0)
