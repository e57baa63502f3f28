// What must not be seen any more leaves the page at once.

import { to } from "./addresses.js";
import { $, $$ } from "./dom.js";

// Pages that were asked for by name show a muted conversation all the same, so does a reload.
export const SHOWS_ALL = "[data-permalink], [data-profile], [data-bookmarks]";

// ---- What has left the page, until there is another sentence about something else: an undo brings it back

let dropped = [], wanted = [];
document.addEventListener("toast", () => (dropped = []));
document.addEventListener("undo", () => ([wanted, dropped] = [dropped, []]));
document.addEventListener("undone", () => {
  wanted.forEach((bringBack) => bringBack());
  wanted = [];
});

function take(post) {
  const mark = document.createComment("");
  post.replaceWith(mark);
  dropped.push(() => {
    mark.replaceWith(post);
    if (document.activeElement === document.body) post.focus({ preventScroll: true });
  });
}

function drop(gone) {
  const posts = $$("[data-entry]");
  const here = posts.findIndex((post) => post.contains(document.activeElement));
  const above = posts.slice(0, Math.max(here, 0)).filter((post) => !gone.includes(post)).length;
  gone.forEach(take);
  if (!gone.includes(posts[here])) return;
  const left = $$("[data-entry]"); // a reader who uses the keyboard goes on from where the post was
  (left[Math.min(above, left.length - 1)] || $("#main")).focus({ preventScroll: true });
}

// In a conversation, a deleted post leaves its place to what hangs below it.
function leavePlace(id) {
  const gone = $(`.branch > [data-post="${id}"]`);
  if (!gone?.parentElement.querySelector(".branches")) return;
  const words = document.createElement("p");
  words.className = "post-missing";
  words.textContent = "This post was deleted.";
  gone.before(words);
  dropped.push(() => words.remove());
}

document.addEventListener("post-deleted", ({ detail: { value: id } }) => {
  if ($(`[data-permalink="${id}"]`)) return location.assign(to.home);
  leavePlace(id);
  drop($$(`[data-post="${id}"]`)); // its reposts too
});
document.addEventListener("author-hidden", ({ target, detail: { value: id } }) => {
  const permalink = $(`[data-permalink] [data-author="${id}"] .post-author`);
  if (permalink) return location.assign(permalink.href); // the profile says how one stands to them now
  if (!$(`[data-profile="${id}"]`)) return drop($$(`[data-author="${id}"]`));
  if (!target.closest(".relation, #sheet [hx-target]")) location.reload();
});
document.addEventListener("conversation-hidden", ({ detail: { conversation, but_of } }) => {
  if ($(SHOWS_ALL)) return;
  drop($$(`[data-conversation="${conversation}"]:not([data-author="${but_of}"])`));
});
document.addEventListener("reposts-hidden", ({ detail: { value: handle } }) => drop($$(`[data-reposter="${handle}"]`)));
document.addEventListener("entry-gone", ({ detail: { value: id } }) => drop($$(`[data-entry="${id}"]`))); // one's own repost
document.addEventListener("entries-gone", ({ detail: { value: ids } }) => ids.forEach((id) => { // while the page was left
  leavePlace(id);
  drop($$(`[data-entry="${id}"]`));
}));
