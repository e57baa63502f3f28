// Keys that work wherever nobody types. `?` lists them: components/_dialogs.html.

import { to } from "./addresses.js";
import { $, $$, topOf } from "./dom.js";

const isTyping = (element) => element.closest("input, textarea, select, [contenteditable], dialog");
const current = () => document.activeElement?.closest("[data-entry]");
let waitsForPlace = false;

// As a click on a link: what answers those, such as writing.js, answers this, too.
function follow(href) {
  const link = Object.assign(document.createElement("a"), { href, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
}

function step(by) {
  const posts = $$("[data-entry]");
  if (!posts.length) return;
  const here = posts.indexOf(current());
  const below = posts.findIndex((post) => topOf(post) >= 60);
  const next = here >= 0 ? here + by : Math.max(0, below);
  const post = posts[Math.min(Math.max(next, 0), posts.length - 1)];
  post.focus({ preventScroll: true });
  post.scrollIntoView({ block: "nearest" });
  if (next >= posts.length - 1) $("[rel=next]")?.scrollIntoView({ block: "nearest" });
}

function openMenu(menu) {
  if (!menu) return;
  menu.open = true;
  $(".menu-item", menu).focus();
}

const KEYS = {
  j: () => step(1),
  k: () => step(-1),
  n: () => follow(to.compose),
  o: () => current()?.querySelector(".post-time").click(),
  l: () => current()?.querySelector("button.action-like")?.click(),
  b: () => current()?.querySelector("button.action-bookmark")?.click(),
  r: () => (current() || $("[data-permalink]"))?.querySelector(".action-reply")?.click(),
  t: () => openMenu(current()?.querySelector(".repost-menu")),
  u: () => ($("#toasts [data-undo]") ?? $(".notice-undo button"))?.click(),
  q: () => {
    const post = current();
    if (post?.querySelector(".repost-menu [href]")) follow(`${to.compose}?quote_of=${post.dataset.post}`);
  },
  x: () => {
    const collapsed = current()?.querySelector(".post-collapsed");
    if (collapsed) collapsed.open = !collapsed.open;
  },
  "/": () => ($("#q") ? $("#q").select() : location.assign(to.search)),
  g: () => { waitsForPlace = true; setTimeout(() => (waitsForPlace = false), 1000); },
  "?": () => $("#keys").showModal(),
};
const PLACES = { h: to.home, e: to.explore, b: to.bookmarks };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  if (event.key === "Enter" && event.target.matches("[data-entry]")) return $(".post-time", event.target).click();
  const run = waitsForPlace && PLACES[event.key] ? () => location.assign(PLACES[event.key]) : KEYS[event.key];
  if (!run) return;
  event.preventDefault();
  run();
});
