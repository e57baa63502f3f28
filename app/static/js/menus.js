// Menus: filled when opened, so that they are never stale; closed by Escape, a click elsewhere, or a choice.

import { to } from "./addresses.js";
import { $, $$, topOf } from "./dom.js";
import { whenSlow } from "./slow.js";
import { toast } from "./toasts.js";

const CEILING = 60; // pixels, of the heading that stays
const EDGE = 4;

let dismissal = null; // the last click that found a menu open

// Whether a click closes a menu, or has just done so: then it is for nothing else.
export const isForMenus = (click) => click === dismissal || Boolean($("details.menu[open]"));

export function close(menu) {
  if (menu.contains(document.activeElement)) $("summary", menu).focus();
  menu.open = false;
}

// ---- The menu of a card: what can be done with any post is there at once, also offline; the server says the rest

const isSending = (menu) => Boolean($(".menu-items .htmx-request", menu));

async function fill(menu) {
  if (isSending(menu)) return; // it shows what was chosen
  const items = $(".menu-items", menu), card = menu.closest("[data-entry]");
  items.replaceChildren($("#card-menu").content.cloneNode(true));
  fit(items, card);
  const rest = $(".menu-rest", items);
  rest.append(...Array.from({ length: linesExpected(card) }, () => makeLine()));
  htmx.process(items);
  keepInSight(menu);
  const settled = whenSlow(() => rest.classList.add("is-slow"));
  // A source of its own: behind another request of the same one this would wait, unawaited.
  const answered = htmx.ajax("GET", menu.dataset.menu, { source: rest, target: rest, swap: "innerHTML" });
  const isThere = await answered.then(() => !$(".menu-waits", rest), () => false);
  settled();
  rest.classList.remove("is-slow");
  rest.removeAttribute("aria-busy");
  if (!isThere) rest.replaceChildren(makeMore(menu));
  else joinRelation(menu, card);
}

// Nothing came: the page with everything is still to be had.
function makeMore({ dataset: { menu: href } }) {
  return Object.assign(document.createElement("a"), { className: "menu-item", href, textContent: "Options for this post" });
}

function fit(items, card) {
  const post = $(".post-time", card).href, quote = $(".repost-menu a[href]", card)?.href;
  const at = encodeURIComponent(location.pathname + location.search);
  const addresses = { post, quote, why: `${to.why(card.dataset.entry)}?at=${at}` };
  for (const link of $$("[data-leads]", items)) {
    const address = addresses[link.dataset.leads];
    if (address) link.href = address;
    else link.remove();
  }
  const why = $("[data-leads=why]", items);
  why.setAttribute("hx-get", why.getAttribute("href"));
  why.setAttribute("hx-target", "#why-words");
  why.setAttribute("hx-swap", "innerHTML");
  if (card.closest("[data-permalink]")) $("[data-opens]", items).remove();
  const bookmark = $(".action-bookmark", card);
  $("[data-bookmarks-it] span", items).textContent = bookmark.ariaPressed === "true" ? "Remove bookmark" : "Bookmark";
}

// Room for what will come, so that nothing moves when it is there.
function linesExpected(card) {
  const isOwn = $(".post-author", card).getAttribute("href") === `${to.profiles}${document.body.dataset.account}`;
  if (isOwn) return 3 + Boolean($(".post-images", card)) + Boolean($(".link-card", card));
  return 6 + Boolean(card.dataset.reposter);
}

function makeLine() {
  const line = document.createElement("div");
  line.className = "menu-waits";
  return line;
}

function joinRelation(menu, card) { // on a profile it changes, too
  const relation = $(`#relation-${card.dataset.author}`);
  if (relation) $$(`form[action^='${to.profiles}']`, menu).forEach((form) => showIn(relation, form));
}

function showIn(relation, form) { // the answer to what was chosen, where the page shows how one stands to a person
  form.setAttribute("hx-target", `#${relation.id}`);
  form.setAttribute("hx-swap", "outerHTML");
  const says = Object.assign(document.createElement("input"), { type: "hidden", name: "relation", value: "shown" });
  form.append(says);
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-bookmarks-it]");
  if (!button) return;
  const menu = button.closest("details.menu");
  close(menu);
  $(".action-bookmark", menu.closest("[data-entry]")).click();
});

// Above its button, where there is no room below; where there is none above either, as low as it fits, and no higher
// than the screen: then it scrolls. It is held by its top: what comes later moves nothing.
function keepInSight(menu) {
  const items = $(".menu-items", menu), tabs = $(".tabs");
  items.style.removeProperty("top");
  items.style.removeProperty("max-height");
  const { bottom, height } = items.getBoundingClientRect(), top = topOf(menu);
  const floor = tabs && getComputedStyle(tabs).position === "fixed" ? topOf(tabs) : innerHeight;
  if (bottom <= floor) return;
  const room = floor - CEILING - EDGE, fits = Math.min(height, room);
  if (fits < height) items.style.maxHeight = `${room}px`;
  items.style.top = top - height > CEILING ? `${-height - 2}px` : `${floor - EDGE - fits - top}px`;
}

document.addEventListener("toggle", ({ target }) => {
  if (!target.matches?.("details.menu") || !target.open) return;
  $$("details.menu[open]").forEach((menu) => menu !== target && close(menu));
  if (target.dataset.menu) fill(target);
  else keepInSight(target);
}, true);
document.addEventListener("click", (event) => {
  const copy = event.target.closest("[data-copy]"), menus = $$("details.menu[open]");
  if (menus.length) dismissal = event;
  if (copy && navigator.clipboard) {
    event.preventDefault();
    navigator.clipboard.writeText(copy.href).then(() => toast("Link copied."), () => location.assign(copy.href));
  }
  const isBeside = (menu) => menu.closest("dialog") === event.target.closest("dialog"); // not behind a question about what was chosen
  menus.filter(isBeside).forEach((menu) => (!menu.contains(event.target) || copy) && close(menu));
});
addEventListener("pagehide", () => $$("details.menu[open]").forEach((menu) => (menu.open = false))); // not open on the way back
document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && $$("details.menu[open]").find((each) => each.closest("dialog") === event.target.closest("dialog"));
  if (!menu) return;
  close(menu);
  if (menu.closest("dialog")) event.preventDefault(); // the dialog stays
});
document.addEventListener("keyup", ({ key, target }) => { // where Tab has led out of a menu
  if (key === "Tab" && !target.closest("dialog")) $$("details.menu[open]").forEach((menu) => (menu.open = menu.contains(target)));
});
