// Writing over the page: an answer, a quote or a post begins in a dialog, and the page stays where it is. Escape and a
// click outside close it; what was typed is a draft. Without scripts, and for a new tab, links lead to a page for writing.

import { to } from "./addresses.js";
import { withoutWords } from "./composer.js";
import { $, $$, isForNewTab, topOf } from "./dom.js";
import { close } from "./menus.js";
import { toast } from "./toasts.js";

const TITLES = { reply: "Reply", quote: "Quote", post: "New post" };
const dialog = $("#writing"), place = $("#writing-place");
let opener = null, around = null; // what has the focus again afterwards, and the card that it is in
let lent = null; // where the form of the page itself stands, while it is in the dialog

// ---- Opening

function subjectOf({ searchParams: asked }) {
  const kind = asked.has("reply_to") ? "reply" : asked.has("quote_of") ? "quote" : "post";
  const id = asked.get({ reply: "reply_to", quote: "quote_of" }[kind]);
  return { kind, draft: id ? `${kind}-${id}` : kind };
}

const fieldIn = (within) => $("textarea", within);
const isInSight = (form) => topOf(form) >= 0 && form.getBoundingClientRect().bottom <= innerHeight;

function focusOn(field) {
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
}

function open(address) {
  const { kind, draft } = subjectOf(new URL(address, location));
  const onPage = $(`.column .composer[data-draft="${draft}"]`);
  if (onPage && isInSight(onPage)) return focusOn(fieldIn(onPage));
  opener = document.activeElement;
  around = opener.closest("[data-entry]");
  $("#writing-title").textContent = TITLES[kind];
  if (onPage) lend(onPage);
  else if (!$(`.composer[data-draft="${draft}"]`, place)) load(address);
  dialog.showModal();
  focusOn(fieldIn(place));
}

// Two forms for the same draft would write over each other: the one of the page comes into the dialog.
function lend(form) {
  lent = document.createElement("div");
  lent.style.height = `${form.offsetHeight}px`;
  form.before(lent);
  place.replaceChildren(form);
}

function load(address) {
  $$("[data-waits]", place).forEach((other) => htmx.trigger(other, "htmx:abort"));
  const before = $("[data-waits]", place); // what was begun for one post is not said to another
  const typed = before?.dataset.waits === address ? fieldIn(before).value : "";
  place.replaceChildren($("#writing-waits").content.cloneNode(true));
  $("[data-waits]", place).dataset.waits = address;
  fieldIn(place).value = typed;
  htmx.ajax("GET", address, { source: $("[data-waits]", place), target: place, swap: "innerHTML" }).catch(() => {}); // a toast says what went wrong
}

// Whoever began to write before the form was there goes on in it.
let meanwhile = "";
document.addEventListener("htmx:beforeSwap", ({ detail: { requestConfig: { elt }, xhr } }) => {
  if (elt.matches("[data-waits]") && xhr.status === 200) meanwhile = fieldIn(elt).value;
});
document.addEventListener("htmx:afterRequest", ({ detail: { requestConfig: { elt }, xhr } }) => {
  if (!elt.matches("[data-waits]")) return;
  if (xhr.status !== 200) return elt.isConnected && dialog.close();
  const field = fieldIn(place);
  if (meanwhile) {
    field.value += meanwhile;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  meanwhile = "";
  if (dialog.open) focusOn(field);
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link || link.origin !== location.origin || link.pathname !== to.compose || location.pathname === to.compose) return;
  if (isForNewTab(event) || event.defaultPrevented) return;
  event.preventDefault();
  const menu = link.closest("details.menu");
  if (menu) close(menu); // first, because what has the focus now gets it back
  open(link.href);
});

// ---- Closing

let pressed = null; // words that are marked with the mouse may end outside
dialog.addEventListener("pointerdown", ({ target }) => (pressed = target));
dialog.addEventListener("click", ({ target, clientX: x, clientY: y }) => {
  const box = dialog.getBoundingClientRect();
  const isOutside = x < box.left || x > box.right || y < box.top || y > box.bottom;
  if (target === dialog && pressed === dialog && isOutside) dialog.close();
});
dialog.addEventListener("close", () => {
  if (lent) lent.replaceWith($(".composer", place));
  lent = null;
  if (!opener.isConnected) opener = around ? $(".action-reply", around) : $("#main"); // it counts one more now
  opener.focus({ preventScroll: true });
});

// ---- Sent: the post goes to its place on the page, and what is read stays where it is

let read = null;
document.addEventListener("htmx:beforeSwap", ({ detail: { requestConfig: { elt } } }) => {
  if (!elt.matches("form.composer") || !dialog.open) return;
  const post = $$("[data-entry]").find((each) => topOf(each) >= 60);
  read = post && { post, top: topOf(post) };
});
document.addEventListener("htmx:afterRequest", ({ detail: { requestConfig: { elt }, xhr } }) => {
  if (!elt.matches("form.composer") || !dialog.open) return;
  if (xhr.status !== 200) return (withoutWords(place) ?? fieldIn(place)).focus();
  const sent = $("[data-sent]", place);
  const card = sent ? $(".post", sent) : $("#list .post");
  $$("[data-counted]", place).forEach(showCount);
  if (sent) showInPlace(card, sent.dataset.sent);
  else if (card) toast("Posted", { view: $(".post-time", card).href }); // the form of the page, which has put it there
  card?.classList.add("post-new");
  if (read?.post.isConnected) scrollBy({ top: topOf(read.post) - read.top, behavior: "instant" });
  dialog.close();
  if (sent) place.replaceChildren();
});

function showCount(counted) {
  const link = $(".action-reply", counted);
  counted.remove();
  $$(`[data-post="${counted.dataset.counted}"] .action-reply`).forEach((each) => each.replaceWith(link.cloneNode(true)));
}

function showInPlace(card, answered) {
  const list = $("#list"), branch = $(`.branch > [data-post="${answered}"]`)?.parentElement;
  if (!answered && ($("#pill") || isAbout(card))) list.prepend(card);
  else if (answered && $(`[data-permalink="${answered}"]`)) list.prepend(asBranch(card));
  else if (branch) branchesOf(branch).append(asBranch(card));
  else return;
  $("#empty")?.replaceChildren();
}

// On top of its author's profile, or under its tag.
function isAbout(card) {
  const links = [$(".post-author", card), ...$$(".post-text a", card).filter((link) => !link.pathname.startsWith(to.profiles))];
  return !$("#prev, #further-down") && links.some(({ pathname }) => pathname === location.pathname);
}

function asBranch(card) {
  const item = document.createElement("li");
  item.className = "branch";
  item.append(card);
  return item;
}

function branchesOf(branch) {
  const below = $(":scope > .branches", branch) ?? document.createElement("ul");
  below.className = "branches";
  if (!below.isConnected) $(":scope > .post", branch).after(below);
  return below;
}
