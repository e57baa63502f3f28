// What must not be seen any more leaves the page at once.

import { to } from "./addresses.js";
import { $, $$, topOf } from "./dom.js";
import { leaveToast } from "./toasts.js";

// Pages that were asked for by name show what their reader mutes all the same, so does a reload.
export const SHOWS_ALL = "[data-shows-all]";
// As app/posts/cards/missing.py says it.
const DELETED = "This post was deleted.", UNWANTED = "You chose to hide this post.", INVISIBLE = "This post isn’t visible to you.";

// ---- What has left the page, until there is another sentence about something else: an undo brings it back, and takes
// it away again if it fails

let dropped = [];
const undone = new WeakMap(); // what is being undone -> what it has brought back
document.addEventListener("toast", () => (dropped = []));
document.addEventListener("undo", ({ detail: undo }) => {
  undone.set(undo, dropped);
  dropped.forEach(({ back }) => back());
  dropped = [];
});
document.addEventListener("undo-failed", ({ detail: undo }) => {
  dropped = undone.get(undo) ?? [];
  dropped.forEach(({ away }) => away());
  listHasChanged();
});

function leave(change) {
  change.away();
  dropped.push(change);
}

function take(post) {
  const mark = document.createComment("");
  leave({
    away: () => post.replaceWith(mark),
    back: () => {
      mark.replaceWith(post);
      if (document.activeElement === document.body) post.focus({ preventScroll: true });
    },
  });
}

// What stands above the reply to it leaves words of why it is not shown; the first post of a conversation goes without.
function leaveWords(context, words) {
  const place = document.createElement("p");
  place.className = "context context-missing";
  place.textContent = words;
  leave({ away: () => context.replaceWith(place), back: () => place.replaceWith(context) });
}

const isNearest = ({ nextElementSibling: next }) => !next?.matches(".context, .talk-more");

function drop(found, words) {
  const gone = found.filter((each) => !each.matches(".context") || !isNearest(each));
  found.filter((each) => !gone.includes(each)).forEach((context) => leaveWords(context, words));
  const posts = $$("[data-entry]");
  const here = posts.findIndex((post) => post.contains(document.activeElement));
  const above = posts.slice(0, Math.max(here, 0)).filter((post) => !gone.includes(post)).length;
  gone.forEach(take);
  listHasChanged();
  if (!gone.includes(posts[here])) return;
  const left = $$("[data-entry]"); // a reader who uses the keyboard goes on from where the post was
  (left[Math.min(above, left.length - 1)] || $("#main")).focus({ preventScroll: true });
}

// ---- A list that has lost what filled the screen goes on; one that has lost everything says so

function listHasChanged() {
  const onwards = $("#next a[rel=next]");
  if (onwards && topOf(onwards) < innerHeight) htmx.trigger(onwards, "revealed");
  if (!onwards && $("#list") && !$("#list .post")) sayThatItIsEmpty();
}

document.addEventListener("htmx:afterRequest", ({ detail: { requestConfig: { elt }, successful } }) => {
  if (elt.rel === "next" && successful && $("#list") && !$("#list .post")) listHasChanged();
});

// The page as it would be now knows in which words.
async function sayThatItIsEmpty() {
  const place = $("#empty");
  if (!place || place.firstElementChild) return;
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok) return;
  const now = $("#empty", new DOMParser().parseFromString(await answer.text(), "text/html"));
  if (!now || place.firstElementChild) return;
  place.replaceChildren(...now.childNodes);
  htmx.process(place);
}

// In a conversation, a deleted post leaves its place to what hangs below it.
function leavePlace(id) {
  const gone = $(`.branch > [data-post="${id}"]`);
  if (!gone?.parentElement.querySelector(".branches")) return;
  const words = document.createElement("p");
  words.className = "post-missing";
  words.textContent = DELETED;
  leave({ away: () => gone.before(words), back: () => words.remove() });
}

// ---- What is heard

// Another page says how it stands now, and what was just said.
function leadTo(address) {
  leaveToast();
  if (address) location.assign(address);
  else location.reload();
}

document.addEventListener("post-deleted", ({ detail: { value: id } }) => {
  if ($(`[data-permalink="${id}"]`)) return location.assign(to.home);
  leavePlace(id);
  drop($$(`[data-post="${id}"]`), DELETED); // its reposts too
});
document.addEventListener("author-hidden", ({ target, detail: { author, closes } }) => {
  const permalink = $(`[data-permalink] [data-author="${author}"] .post-author`);
  if (permalink) return leadTo(permalink.href); // the profile says how one stands to them now
  if (!$(`[data-profile="${author}"]`)) drop($$(`[data-author="${author}"]`), closes ? INVISIBLE : UNWANTED);
  else if (closes && !target.closest(".relation, #sheet [hx-target]")) leadTo();
});
document.addEventListener("conversation-hidden", ({ detail: { conversation, but_of } }) => {
  if ($(SHOWS_ALL)) return;
  drop($$(`[data-conversation="${conversation}"]:not([data-author="${but_of}"])`), UNWANTED);
});
document.addEventListener("reposts-hidden", ({ detail: { value: handle } }) => drop($$(`[data-reposter="${handle}"]`)));
document.addEventListener("entry-gone", ({ detail: { value: id } }) => drop($$(`[data-entry="${id}"]`))); // one's own repost
document.addEventListener("entries-gone", ({ detail: { value: ids } }) => { // while the page was left: no undo knows of them
  const before = [...dropped];
  ids.forEach((id) => {
    leavePlace(id);
    drop($$(`[data-entry="${id}"]`));
  });
  dropped = before;
});
document.addEventListener("contexts-gone", ({ detail }) => $$(".context[data-context]").forEach((context) => {
  if (detail[context.dataset.context]) drop([context], detail[context.dataset.context]);
}));
document.addEventListener("bookmark-removed", ({ detail: { value: id } }) => $("[data-bookmarks]") && drop($$(`.post[data-post="${id}"]`)));
