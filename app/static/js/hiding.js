// A muted conversation leaves the page.

// Pages that were asked for by name show it all the same, so does a reload.
const SHOWS_ALL = "[data-permalink], [data-profile], [data-bookmarks]";

document.addEventListener("conversation-hidden", ({ detail: { conversation, but_of } }) => {
  if (document.querySelector(SHOWS_ALL)) return;
  const posts = [...document.querySelectorAll(`[data-conversation="${conversation}"]:not([data-author="${but_of}"])`)];
  document.dispatchEvent(new CustomEvent("posts-gone", { detail: posts }));
});
