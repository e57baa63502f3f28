// Back leads to the same post at the same height, also where the browser has forgotten the page. The history carries
// which post that was, and the address of a page that has it: a link that leads away leaves this address behind.

import { to } from "./addresses.js";
import { $, $$, isForNewTab, topOf } from "./dom.js";
import { BAR } from "./hold.js";
import { SHOWS_ALL } from "./removal.js";

const PAUSE = 200; // milliseconds in which nobody scrolls
const MAX_ASKED = 100; // posts
const pathOf = ({ pathname, search }) => pathname + search;
const origin = history.state?.place?.from ?? pathOf(location); // of this page, whatever the history calls it
const opened = pathOf(location);
const pages = new WeakMap(); // posts that came later -> the address of their page

export const isReturn = performance.getEntriesByType("navigation")[0]?.type === "back_forward" || Boolean(history.state?.returns);

// ---- Where the reader is

const posts = () => $$("[data-entry]");
const read = () => posts().find((post) => post.getBoundingClientRect().bottom > BAR);

const find = (entry) => $(`[data-entry="${entry}"]`);

function addressOf(post) {
  const list = post.closest("#list");
  if (!list) return opened;
  return list.dataset.around ? list.dataset.around + post.dataset.entry : pages.get(post) ?? opened;
}

export function remember(post = read()) {
  if (!post) return;
  const isFocused = post.contains($(":focus-visible")), all = posts(), below = all[all.indexOf(post) + 1];
  const place = { entry: post.dataset.entry, top: topOf(post), at: addressOf(post), from: origin, isFocused };
  if (below) Object.assign(place, { below: below.dataset.entry, belowAt: addressOf(below) });
  history.replaceState({ ...history.state, place, returns: false }, "");
}

let pause = 0;
addEventListener("scroll", () => {
  clearTimeout(pause);
  pause = setTimeout(remember, PAUSE);
}, { passive: true });

document.addEventListener("htmx:afterRequest", ({ detail: { requestConfig: { elt, path }, successful } }) => {
  if (!successful || !elt.matches("a[rel=next]")) return;
  const known = posts().findLast((post) => pages.has(post));
  const came = posts().slice(posts().indexOf(known) + 1).filter((post) => !first.has(post));
  came.forEach((post) => pages.set(post, path));
});
const first = new WeakSet(posts());

// ---- Leaving: on the window, after whatever else a click may be for

addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || event.defaultPrevented || isForNewTab(event) || event.altKey || link.target || link.hasAttribute("download")) return;
  if (link.hash && pathOf(link) === pathOf(location)) return;
  if (history.state?.over) { // the dialog that it is in does not stay behind in the history
    event.preventDefault();
    return location.replace(link.href);
  }
  remember(link.closest("[data-entry]") ?? undefined);
  leaveAddress();
});

// The same for what leads away without a click on a link.
export function leave() {
  remember();
  leaveAddress();
}

function leaveAddress() {
  const place = history.state?.place;
  if (!place) return;
  history.scrollRestoration = "manual";
  history.replaceState(history.state, "", place.at);
}

// ---- Coming back

// `returns` says how often the page was asked for on the way back: where the post was and, if it is gone from a list that
// cannot say where that was, where the post below it is.
function comeBack() {
  const { place: { entry, top, at, below, belowAt, isFocused }, returns } = history.state;
  const same = find(entry), tries = Number(returns ?? 0);
  if (!same && !tries && opened !== at) return ask(at, 1);
  // What is gone leaves its height to the post below it.
  const post = same ?? find(below) ?? firstBelow(entry);
  if (!post && below && tries < 2 && opened !== belowAt) return ask(belowAt, 2);
  if (!post) return;
  scrollBy({ top: topOf(post) - top, behavior: "instant" });
  if (isFocused) post.focus({ preventScroll: true });
  keepAddress();
  refresh();
}

function ask(address, returns) {
  history.scrollRestoration = "manual";
  history.replaceState({ ...history.state, returns }, "", address);
  location.reload();
}

// In a list by age, where a conversation has the place of its newest post. Bookmarks have their own order.
function firstBelow(entry) {
  if (!$("#list[data-around]") || $("[data-bookmarks]")) return null;
  const newestIn = (item) => Math.max(...[item, ...$$("[data-entry]", item)].map(({ dataset }) => Number(dataset.entry ?? 0)));
  const item = [...$("#list").children].find((each) => newestIn(each) && newestIn(each) < Number(entry));
  return item && (item.matches("[data-entry]") ? item : $("[data-entry]", item));
}

// A page around a post that has all that is above it is the one that was left.
function keepAddress() {
  if ($("#list[data-around]") && !$("#prev a")) history.replaceState(history.state, "", origin);
}

// What happened below the posts meanwhile, and which of them are gone: pages that a browser kept are as they were.
function refresh() {
  const entries = near(posts(), "entry"), contexts = near($$("[data-context]"), "context"), counted = $("[data-permalink]");
  const asked = new URLSearchParams({ entries, contexts });
  if ($(SHOWS_ALL)) asked.set("named", "1");
  if (counted) asked.set("counts", counted.dataset.permalink);
  if (entries) htmx.ajax("GET", `${to.actions}?${asked}`, { source: "#main", target: "#main", swap: "none" }).catch(() => {});
}

// What is on the screen and around it, by id.
function near(all, name) {
  const here = all.findIndex((each) => each.getBoundingClientRect().bottom > BAR);
  const start = Math.max(0, (here < 0 ? all.length : here) - MAX_ASKED / 2);
  return all.slice(start, start + MAX_ASKED).map(({ dataset }) => dataset[name]).join(".");
}

if (history.state?.place && (isReturn || history.scrollRestoration === "manual")) comeBack();
else if (isReturn) refresh();
addEventListener("pageshow", ({ persisted }) => {
  if (!persisted) return;
  if (history.state?.place) history.replaceState(history.state, "", origin);
  refresh();
});
