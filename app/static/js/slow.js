// What is there at once does not flash: only what takes a while is seen to wait, in the shape of what will come.

import { $, isForNewTab } from "./dom.js";

const A_WHILE = 300; // milliseconds
const POSTS = 3, LINES = 3;

// Call `show` unless the returned function is called before.
export function whenSlow(show) {
  const timer = setTimeout(show, A_WHILE);
  return () => clearTimeout(timer);
}

function shape(className, parts) {
  const element = document.createElement("div");
  element.className = className;
  element.setAttribute("aria-hidden", "true");
  element.append(...parts);
  return element;
}

const spans = (number) => Array.from({ length: number }, () => document.createElement("span"));
export const lines = () => shape("skeleton", spans(LINES));
const post = () => shape("skeleton-post", spans(4));
export const posts = () => shape("skeleton-list", Array.from({ length: POSTS }, post));

// ---- The next page of a list

const ways = { // what leads to the next page -> what is seen meanwhile, and where
  next: { make: posts, show: (waits) => $("#next").before(waits) },
  prev: { make: post, show: (waits) => $("#prev").append(waits) }, // over the link: what is read below it must not move
};
const underway = new Map();
document.addEventListener("htmx:beforeRequest", ({ detail: { requestConfig: { elt } } }) => {
  const way = elt.matches("a[rel=next], a[rel=prev]") && ways[elt.rel];
  if (!way) return;
  const waits = way.make(), forget = whenSlow(() => way.show(waits));
  underway.set(elt, () => { forget(); waits.remove(); });
});
document.addEventListener("htmx:afterRequest", ({ detail: { requestConfig: { elt } } }) => {
  underway.get(elt)?.();
  underway.delete(elt);
});

// ---- Another tab, or what was searched for: a page of its own, in whose place its shape is seen meanwhile

const PATIENCE = 20000; // milliseconds; by then it has failed, or was stopped in a way that no page hears of
let cameBack = () => {};

function leaveFor(tab) {
  cameBack();
  const before = $("main .switch") ?? $("main .heading"), page = posts(), current = tab && $(".switch [aria-current]");
  page.classList.add("skeleton-page");
  current?.removeAttribute("aria-current");
  tab?.setAttribute("aria-current", "page");
  const forget = whenSlow(() => before.after(page)), timer = setTimeout(() => cameBack(), PATIENCE);
  cameBack = () => {
    cameBack = () => {};
    clearTimeout(timer);
    forget();
    page.remove();
    tab?.removeAttribute("aria-current");
    current?.setAttribute("aria-current", "page");
  };
}

// Stopped: the list is read on. What gives way to another page, or to a new state of the history, is told as an error, too,
// right before that.
let stopped = 0;
window.navigation?.addEventListener("navigateerror", () => (stopped = setTimeout(() => cameBack())));
window.navigation?.addEventListener("navigate", () => clearTimeout(stopped));
document.addEventListener("keydown", ({ key }) => key === "Escape" && cameBack());

document.addEventListener("click", (event) => {
  const tab = event.target.closest("main .switch a[href]");
  if (tab && !isForNewTab(event) && !event.defaultPrevented) leaveFor(tab);
});
document.addEventListener("submit", (event) => event.target.matches("form.search") && !event.defaultPrevented && leaveFor(null));
window.addEventListener("pageshow", ({ persisted }) => persisted && cameBack());
