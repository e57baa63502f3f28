"""A small population to look at pages with: ordinary people, and the same people with the worst that can be typed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.accounts.images import image_file
from tests.people import Member

ZALGO = "Z\u0351\u036b\u0343a\u0363\u0368\u034cl\u034c\u0350\u0368g\u0342\u0344\u0350o\u0301\u0302\u0351 \u0300\u0301"
FAMILY = "\N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL}\u200d\N{BOY}"


@dataclass(frozen=True)
class Wording:
    """What people call themselves and write."""

    handles: dict[str, str]
    names: dict[str, str]
    bio: str
    tag: str
    posts: tuple[str, ...]


ORDINARY = Wording(
    handles={},
    names={"alice": "Alice Amberley", "bob": "Bob", "carol": "Carol of the Ferry", "mallory": "Mallory"},
    bio="Keeps bees and the minutes. Reads https://example.org/a before breakfast.",
    tag="bees",
    posts=(
        "First swarm of the year, in the pear tree again. #bees",
        "The ferry is late.\n\nSo is the kettle, but it has an excuse.",
        "Minutes of Tuesday: https://example.org/minutes/2026/tuesday-evening-in-the-old-library?page=2 – thanks @bob!",
        "Rain.",
        "A longer thought, for once: we planted the hedge eleven years ago as whips no thicker than a pencil, and this "
        "morning there was a wren's nest in it. Nobody decided on that. We only decided not to cut it in May.",
    ),
)

HOSTILE = Wording(
    handles={"alice": "W" * 30, "bob": "bob_" + "M" * 26, "carol": "c" + "_" * 29, "mallory": "mallory" + "8" * 23},
    names={
        "alice": "Ŵ" * 50,
        "bob": (ZALGO * 12)[:120],
        "carol": "عبد الرحمن بن محمد بن عبد الله بن عبد العزيز آل",
        "mallory": FAMILY * 12,
    },
    bio="m" * 170 + "\nhttps://example.org/" + "w" * 90 + " and more",
    tag="w" * 60,
    posts=(
        "#" + "w" * 60 + " " + "x" * 60 + " " + "y" * 60,
        "هذا منشور طويل باللغة العربية ليظهر من اليمين إلى اليسار " * 6 + "with English and 12345 in it",
        "\N{FACE WITH TEARS OF JOY}" * 500,
        "https://example.org/" + "a" * 200 + "?q=" + "b" * 200,
        "W" * 500,
        FAMILY * 100 + ZALGO * 20,
        "@" + "W" * 30 + " " + "\n\n".join("abcdefghij"),
    ),
)


@dataclass(frozen=True)
class Scene:
    """People who stand in every relation to each other that a page can show."""

    alice: Member  # has written, blocks Mallory, mutes Carol
    bob: Member  # follows Alice
    carol: Member  # follows nobody and has not written anything
    dora: Member  # follows only Carol, who is silent
    mallory: Member
    peter: Member  # is private, is followed by Bob a little, and asked by Carol
    maud: Member  # runs the site
    tag: str
    post: int  # of Alice's, still there
    deleted: int  # of Alice's, gone
    edited: int  # of Alice's, below the others
    hidden: int  # of Mallory's, by Maud
    warning: int  # what Maud decided about Mallory: she has read it
    appealed: int  # and this she has appealed against
    rule: int  # of Maud's, which holds another post of Mallory's
    case: int  # about the post, which Bob and Dora reported

    def path(self, words: str) -> str:
        """Fill in names and numbers: `{alice}` is a handle, `{post}` an id."""
        people = {
            who: getattr(self, who).handle for who in ("alice", "bob", "carol", "dora", "mallory", "peter", "maud")
        }
        told = {"hidden": self.hidden, "warning": self.warning, "appealed": self.appealed}
        told |= {"rule": self.rule, "case": self.case}
        return words.format(**people, tag=self.tag, post=self.post, deleted=self.deleted, edited=self.edited, **told)


def set_scene(join: Callable[..., Member], wording: Wording = ORDINARY, *, diary: int = 0, talk: bool = False) -> Scene:
    """Let everybody join, write and choose whom to follow.

    `diary` is how much more Alice has written; `talk` is whether they talk about her last post and her deleted one.
    """

    def person(who: str) -> Member:
        return join(wording.handles.get(who, who), name=wording.names.get(who, who.title()))

    alice, bob, carol, dora, mallory, peter = map(person, ("alice", "bob", "carol", "dora", "mallory", "peter"))
    maud = join("maud", role="admin")
    name = wording.names["alice"]
    assert alice.send("/settings/profile", name=name, bio=wording.bio).status_code == 303
    for number in range(diary):
        alice.write(f"Page of the diary, number {number}")
    mallory.write("Something that Alice does not want to read")
    mallory.write(f"@{bob.handle}, do you?", audience="mentioned")
    deleted = alice.write("Something that Alice regrets")
    if talk:
        bob.write("Bob answered before she did", reply_to=deleted)
    alice.delete(deleted)
    posts = [alice.write(text) for text in reversed(wording.posts[1:])]
    images = [alice.upload(image_file("JPEG", size=size)) for size in ((300, 200), (90, 900), (900, 90))]
    posts += [alice.write(wording.posts[0], images=images, **{f"alt-{images[0]}": wording.bio})]
    edited = posts[0]
    assert alice.send(f"/posts/{edited}/edit", text=f"{wording.posts[0]} And more.").status_code == 303
    if talk:
        converse(alice, bob, carol, dora, mallory, post=posts[-1], texts=wording.posts)
    bob.write("Bob was here too.\n\nThanks, @dora, for https://example.org/map!")  # whatever the others write
    bob.follow(alice)
    alice.follow(bob)
    dora.follow(carol)
    alice.mute(carol)
    alice.block(mallory)
    for what in ("like", "bookmark"):
        assert bob.send(f"/posts/{posts[-1]}/{what}").status_code == 303
    bob.follow(peter)
    assert bob.send(f"/@{peter.handle}/volume", volume="highlights").status_code == 303
    peter.close()
    carol.follow(peter)
    assert alice.send(f"/@{peter.handle}/mute", scope="reposts", duration="week").status_code == 303
    case = report(dora, bob, maud, post=posts[-1], about=(alice, mallory), words=wording.bio)
    bob.get("/explore"), peter.get("/explore"), dora.get("/explore"), maud.get("/explore")
    alice.get("/")  # takes the notices of what she did
    decided = decide(maud, mallory, wording.posts[-1])
    return Scene(alice, bob, carol, dora, mallory, peter, maud, wording.tag, posts[-1], deleted, edited, *decided, case)


def decide(maud: Member, mallory: Member, words: str) -> tuple[int, int, int, int]:
    """Have Maud hide a post of Mallory's, who has not read that yet, and decide about her, which she has.

    And have a rule of hers hold another.
    """
    response = maud.send("/admin/rules", name=words[:70], action="hold", phrases="pumpkin", sentence=words[:200])
    rule = int(response.location.rpartition("/")[2])
    maud.send(f"/admin/rules/{rule}/switch", on="yes")
    maud.send("/admin/rules/blocks", kind="handle", value="spam*", sentence=words[:200])
    mallory.write(f"pumpkin {words[:300]}")
    hidden = mallory.write(words)
    about = f"/admin/people/{mallory.handle}/actions"
    for action in ("warn", "freeze"):
        assert maud.send(about, action=action, reason=words).status_code == 303
    newest_first = [int(found) for found in re.findall(r'href="/decisions/(\d+)"', mallory.get("/decisions").text)]
    appealed, warning = newest_first
    assert mallory.send(f"/decisions/{warning}/acknowledge").status_code == 303
    assert mallory.send(f"/decisions/{appealed}/appeal", text=words).status_code == 303
    mallory.get(f"/decisions/{appealed}")
    assert maud.send(f"/admin/posts/{hidden}/actions", action="hide", reason=words).status_code == 303
    maud.get("/")
    return hidden, warning, appealed, rule


def report(dora: Member, bob: Member, maud: Member, *, post: int, about: tuple[Member, Member], words: str) -> int:
    """Report a post and two people, decide about one of them, and return the case of the post."""
    answer: dict[str, Any] = {"title": words[:60] or "Gone", "text": words or "It’s gone."}
    assert maud.send("/admin/answers", **answer).status_code == 303
    for who in (dora, bob):
        assert who.send(f"/posts/{post}/report", reason="private", note=words).status_code == 303
    for person in about:
        assert dora.send(f"/@{person.handle}/report", reason="hate", note=words).status_code == 303
    queue = maud.get("/admin/reports").text
    case, _, decided = (int(each) for each in re.findall(r'class="row-link" href="/admin/reports/(\d+)"', queue))
    assert maud.send(f"/admin/reports/{case}/notes", text=words or "Look at this").status_code == 303
    closed = maud.send(f"/admin/reports/{decided}/close", outcome="acted", answer=words)
    assert closed.status_code == 303
    return case


def converse(*people: Member, post: int, texts: tuple[str, ...]) -> None:
    """Talk about a post in every way that looks different: at length, deeply, around what is gone or hidden."""
    alice, bob, carol, dora, mallory = people
    link = post
    for text in texts[:2]:
        link = alice.write(text, reply_to=link)
    level = post
    for number, text in enumerate(texts[:4]):
        level = (bob, dora)[number % 2].write(text, reply_to=level)
    for who in (carol, mallory):
        dora.write("An answer below somebody who is muted or blocked", reply_to=who.write("Well", reply_to=post))
    gone = bob.write("Bob regrets this", reply_to=post)
    for number in range(5):
        dora.write(f"An answer to what is gone, number {number}", reply_to=gone)
    bob.delete(gone)
    dora.write(texts[-1], quote_of=post)
    assert dora.send(f"/posts/{post}/repost").status_code == 303
