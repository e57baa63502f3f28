// Lists of posts: a click opens one, Back leads to where one was, and a list says that it is loading.

import { $, $$, isForNewTab } from "./dom.js";
import { isForMenus } from "./menus.js";

// ---- A click on a post opens it, unless it was meant for something else

document.addEventListener("click", (event) => {
  const post = event.target.closest("[data-entry]");
  if (!post || post.closest("[data-permalink], .stream-above") || isForMenus(event) || String(getSelection())) return;
  if (event.defaultPrevented || event.target.closest("a, button, summary, input, textarea, label, dialog")) return;
  const link = $(".post-time", post);
  if (event.ctrlKey || event.metaKey) open(link.href);
  else link.click();
});

// ---- A link for a new tab or window opens one, whatever else it does when it is just clicked

document.addEventListener("click", (event) => {
  if (isForNewTab(event) && event.target.closest("a[hx-get]")) event.stopPropagation();
}, true);

// ---- Back leads to where one was in a list, not to its top; a reader who came from elsewhere follows the link

document.addEventListener("click", (event) => {
  if (isForNewTab(event) || !event.target.closest("[data-back]") || !document.referrer.startsWith(`${location.origin}/`)) return;
  event.preventDefault();
  history.back();
});

// ---- A list says that it is loading, and that it could not: then it goes on when there is a connection, or by a click

const leadsOn = (link) => link.matches("a[rel=next], a[rel=prev]");
const FAILED = "Try again";

for (const [moment, busy] of [["htmx:beforeRequest", "true"], ["htmx:afterRequest", "false"]]) {
  document.addEventListener(moment, ({ detail }) => leadsOn(detail.requestConfig.elt) && $("#list")?.setAttribute("aria-busy", busy));
}
document.addEventListener("htmx:afterRequest", ({ detail: { requestConfig: { elt }, successful } }) => {
  if (leadsOn(elt) && !successful) elt.textContent = FAILED;
});
addEventListener("online", () => $$("a[rel=next], a[rel=prev]").forEach((link) => link.textContent === FAILED && link.click()));
