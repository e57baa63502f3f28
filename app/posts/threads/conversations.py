"""The page of a post: what it answers, how its author went on, what others said, and the cards of all of that."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from app.accounts.reader import Reader
from app.core.paging import cut
from app.posts.cards.cards import Author, PostCard, author_of
from app.posts.cards.reading import cards_of
from app.posts.facts import Facts, facts_about
from app.posts.models import EVERYONE
from app.posts.threads.deciding import Decider, Undecided
from app.posts.threads.statements import Branch, read_branches, read_links
from app.posts.threads.structure import BRANCHES, LONGEST_CHAIN, Structure, read_structure
from app.posts.threads.tree import Above, Below, Place, ids_in, place_of
from app.posts.visibility import is_visible_in_thread
from app.web.paging import Page, counted, read_page


@dataclass(frozen=True, slots=True)
class Participant:
    """An author of what is shown of a conversation, and how the viewer stands to them."""

    author: Author
    is_followed: bool
    is_viewer: bool


@dataclass(frozen=True)
class Conversation:
    """A post and its surroundings; whatever has a place but no card is not shown, and says why."""

    post: Facts | None  # None if it left no row
    above: Above
    chain: tuple[Place, ...]
    page: Page[Place]
    cards: dict[int, PostCard]
    people: tuple[Participant, ...]  # who wrote what is shown, in the order of reading
    unlisted: int = 0  # replies that are counted, and have a place on no page up to this, which is the last one

    @property
    def chain_goes_on(self) -> bool:
        """Say whether the author may have gone on for longer than is shown."""
        return len(self.chain) == LONGEST_CHAIN


def read_conversation(post_id: int, *, viewer: Reader | None) -> Conversation:
    """Return a post, visible or not, and what the viewer sees around it, in a fixed number of statements."""
    page = read_page(
        f"replies:{post_id}",
        lambda after: read_around(post_id, viewer=viewer, after=after or 0),
        viewer_id=viewer.id if viewer else None,
    )
    [around] = page.items
    chain, answers = around.below.chain if page.is_first else (), around.below.answers
    above = ids_in(around.above.places)
    shown = [*above, post_id, *ids_in((*chain, *answers))]
    cards = {card.id: card for card in cards_of(shown, around.facts, viewer=viewer, muted_too=True)}
    people = _people((around.facts[each] for each in shown if each in cards), viewer)
    post = around.facts.get(post_id)
    placed = [around.facts.get(place.id) for place in (*chain[:1], *answers)]
    page, in_all = counted(page, sum(1 for each in placed if each and _is_counted(each, post_id)))
    unlisted = max(0, post.replies - in_all) if post and in_all is not None else 0
    return Conversation(post, around.above, chain, page.map(lambda _: answers), cards, people, unlisted)


def _is_counted(answer: Facts, post_id: int) -> bool:
    """Say whether an answer is among those that the card of a post counts: what everybody may see."""
    is_public = answer.audience == EVERYONE and not (answer.is_private or answer.is_deleted or answer.author_is_deleted)
    return is_public and answer.reply_to_id == post_id


def _people(posts: Iterable[Facts], viewer: Reader | None) -> tuple[Participant, ...]:
    """Return who wrote these posts; the author of a post that its viewer hides elsewhere is not put forward either."""
    found = dict[int, Participant]()
    for post in posts:
        if post.author_id not in found and is_visible_in_thread(post, viewer):
            is_viewer = viewer is not None and viewer.id == post.author_id
            found[post.author_id] = Participant(author_of(post), post.volume is not None, is_viewer)
    return tuple(found.values())


@dataclass(frozen=True)
class Around:
    """The places around a post, and the facts about the posts that are shown there, and about itself."""

    above: Above
    below: Below
    facts: Mapping[int, Facts]


def read_around(post_id: int, *, viewer: Reader | None, after: int) -> tuple[list[Around], int | None]:
    """Return what is around a post, and where the next page of its answers starts."""
    structure = read_structure(post_id, after=after)
    near = structure.ids if structure.is_whole else {*structure.above, structure.first or post_id}
    facts = facts_about([post_id, *near], viewer=viewer)
    try:
        below = Decider(structure, facts, viewer).below()
    except Undecided:
        below, facts = _read_below(post_id, facts, viewer=viewer, after=after)
    return [Around(_above(structure, facts, viewer), below, facts)], below.next_after


def _above(structure: Structure, facts: Mapping[int, Facts], viewer: Reader | None) -> Above:
    """Return the nearest posts above an answer, up to the first one of its conversation."""
    if structure.first is None:
        return Above()
    places = tuple(place_of(post_id, facts, viewer=viewer) for post_id in structure.above)
    first = place_of(structure.first, facts, viewer=viewer)
    can_be_read = first.is_shown or first.is_unwanted
    is_cut_off = structure.above[0] not in facts  # what an erased post stood below is known by nobody else
    is_farther_up = structure.first not in structure.above
    return Above(places, first if is_farther_up and (can_be_read or is_cut_off) else None)


def _read_below(
    post_id: int, facts: dict[int, Facts], *, viewer: Reader | None, after: int
) -> tuple[Below, dict[int, Facts]]:
    """Let Postgres decide what hangs below a post, and read the facts about that."""
    post = facts.get(post_id)
    links = read_links(post_id, post.author_id, viewer=viewer) if post else []
    branches = read_branches(post_id, viewer=viewer, after=after, but=links[0].id if links else 0)
    missing = {*(link.id for link in links), *(branch.id for branch in branches)} - facts.keys()
    facts |= facts_about(missing, viewer=viewer)
    below: defaultdict[int | None, list[Branch]] = defaultdict(list)
    for branch in branches:
        below[branch.parent_id].append(branch)

    def place(branch: Branch) -> Place:
        hanging = tuple(place(each) for each in below[branch.id])
        return place_of(branch.id, facts, viewer=viewer, answers=branch.answers, below=hanging)

    page, next_after = cut(below[None], BRANCHES, key=lambda branch: branch.id)
    chain = tuple(Place(link.id, answers=link.answers) for link in links)
    return Below(chain, [place(branch) for branch in page], next_after), facts
