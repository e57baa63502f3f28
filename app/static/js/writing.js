// Writing over the page: an answer, a quote or a post begins in a dialog, and the page stays where it is. Escape and a
// click outside close it; what was typed is a draft, and what is being sent goes on. Without scripts, and for a new tab,
// links lead to a page for writing.

import { to } from "./addresses.js";
import { withoutWords } from "./composer.js";
import { $, $$, isForNewTab, topOf } from "./dom.js";
import { keepWords } from "./drafts.js";
import { firstWrong } from "./fields.js";
import { close } from "./menus.js";
import { goOn } from "./talks.js";
import { button, offerWay, toast, whyNot } from "./toasts.js";

const TITLES = { reply: "Reply", quote: "Quote", post: "New post" };
const dialog = $("#writing"), place = $("#writing-place"), behind = $("#writing-behind");
let opener = null, around = null; // what has the focus again afterwards, and the card that it is in

// ---- Opening

function subjectOf({ searchParams: asked }) {
  const kind = asked.has("reply_to") ? "reply" : asked.has("quote_of") ? "quote" : "post";
  const id = asked.get({ reply: "reply_to", quote: "quote_of" }[kind]);
  return { kind, draft: id ? `${kind}-${id}` : kind };
}

const fieldIn = (within) => $("textarea", within);
const isInSight = (form) => form.checkVisibility() && topOf(form) >= 0 && form.getBoundingClientRect().bottom <= innerHeight;

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
  show(sheetFor(draft) ?? (onPage ? lend(onPage) : waitFor(draft)), address);
  dialog.showModal();
  focusOn(fieldIn(place));
}

// ---- A sheet: a form and what it is about. One is in the dialog; those that are busy go on behind it

const sheetFor = (draft) => $$(".writing-sheet").find((sheet) => $(`.composer[data-draft="${draft}"]`, sheet));
const isShown = (sheet) => dialog.open && place.contains(sheet);
const isBusy = (sheet) => Boolean($("form.htmx-request, .uploading progress", sheet) || wordsIn(sheet)); // in the document its answer finds it
const wordsIn = (sheet) => $("[data-waits]", sheet) && fieldIn(sheet).value; // typed before there was a form for them

function newSheet(...within) {
  const sheet = document.createElement("div");
  sheet.className = "writing-sheet";
  sheet.append(...within);
  return sheet;
}

function show(sheet, address) {
  const before = place.firstElementChild;
  if (before && before !== sheet) isBusy(before) ? behind.append(before) : drop(before);
  place.append(sheet);
  $$(".writing-sheet", behind).filter((each) => !isBusy(each)).forEach(drop);
  sheet.dataset.address = address;
  if ($("[data-waits]:not(.htmx-request)", sheet)) load(sheet);
}

function drop(sheet) {
  $$("[data-waits]", sheet).forEach((waits) => htmx.trigger(waits, "htmx:abort"));
  sheet.remove();
}

// Two forms for the same draft would write over each other: the one of the page comes into the dialog.
const gaps = new Map(); // sheet -> where its form stands on the page
function lend(form) {
  const gap = document.createElement("div"), sheet = newSheet();
  gap.style.height = `${form.offsetHeight}px`;
  form.before(gap);
  sheet.append(form);
  gaps.set(sheet, gap);
  return sheet;
}

function giveBack(sheet) {
  if (!gaps.has(sheet)) return;
  gaps.get(sheet).replaceWith($(".composer", sheet));
  gaps.delete(sheet);
  sheet.remove();
}

// ---- Until the form is there, and if it does not come

function waitFor(draft) {
  const sheet = newSheet($("#writing-waits").content.cloneNode(true));
  $("[data-waits]", sheet).dataset.draft = draft;
  return sheet;
}

function load(sheet) {
  const waits = $("[data-waits]", sheet);
  $(".error", waits)?.remove();
  fieldIn(waits).setAttribute("aria-busy", "true");
  htmx.ajax("GET", sheet.dataset.address, { source: waits, target: sheet, swap: "innerHTML" }).catch(() => {}); // said below
}

document.addEventListener("htmx:afterRequest", ({ target, detail: { requestConfig: { elt }, xhr } }) => {
  const sheet = elt.matches("[data-waits]") && target.closest(".writing-sheet");
  if (!sheet) return;
  if (xhr.status !== 200) return sayUnloaded(sheet, xhr);
  const field = fieldIn(sheet), meanwhile = fieldIn(elt).value; // who began to write goes on in the form
  if (meanwhile) {
    field.value += meanwhile;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  if (isShown(sheet)) focusOn(field);
});

const IS_FINAL = [403, 404, 410]; // no second try would help
function sayUnloaded(sheet, xhr) {
  const field = fieldIn(sheet), words = Object.assign(document.createElement("p"), { className: "error" });
  words.setAttribute("role", "alert");
  words.append(`${whyNot(xhr)}${field.value ? " What you’ve typed is still here." : ""} `);
  if (!IS_FINAL.includes(xhr.status)) words.append(button("Try again", () => { load(sheet); field.focus(); }));
  field.removeAttribute("aria-busy");
  field.after(words);
}

window.addEventListener("pagehide", () => $$(".writing-sheet").filter(wordsIn).forEach((sheet) => {
  keepWords($("[data-waits]", sheet).dataset.draft, wordsIn(sheet));
  fieldIn(sheet).value = "";
}));

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link || link.origin !== location.origin || link.pathname !== to.compose || location.pathname === to.compose) return;
  if (isForNewTab(event) || event.defaultPrevented) return;
  event.preventDefault();
  const menu = link.closest("details.menu");
  if (menu) close(menu); // first, because what has the focus now gets it back
  open(link.href);
});

// ---- On phones the keyboard lies over the page: the dialog ends above it

const view = window.visualViewport;
function makeRoom() {
  dialog.style.setProperty("--room", `${view.height * view.scale}px`);
  dialog.style.setProperty("--above", `${view.offsetTop * view.scale}px`);
}
view?.addEventListener("resize", makeRoom);
view?.addEventListener("scroll", makeRoom);

// ---- Closing

let pressed = null; // words that are marked with the mouse may end outside
dialog.addEventListener("pointerdown", ({ target }) => (pressed = target));
dialog.addEventListener("click", ({ target, clientX: x, clientY: y }) => {
  const box = dialog.getBoundingClientRect();
  const isOutside = x < box.left || x > box.right || y < box.top || y > box.bottom;
  if (target === dialog && pressed === dialog && isOutside) dialog.close();
});
dialog.addEventListener("close", () => {
  const sheet = place.firstElementChild;
  if (sheet && !isBusy(sheet)) giveBack(sheet);
  if (!opener.isConnected) opener = around ? $(".action-reply", around) : $("#main"); // it counts one more now
  opener.focus({ preventScroll: true });
});

// ---- Sent: the post goes to its place on the page, and what is read stays where it is

const sheetOf = (element) => element.closest(".writing-sheet");
let read = null;
document.addEventListener("htmx:beforeSwap", ({ detail: { requestConfig: { elt } } }) => {
  if (!elt.matches("form.composer") || !sheetOf(elt)) return;
  const post = $$("[data-entry]").find((each) => topOf(each) >= 60);
  read = post && { post, top: topOf(post) };
});
document.addEventListener("htmx:afterRequest", ({ target, detail: { requestConfig: { elt }, xhr } }) => {
  const sheet = elt.matches("form.composer") && sheetOf(target); // not of the form, which is a new one by now
  if (!sheet) return;
  if (xhr.status === 200) settle(sheet);
  else if (isShown(sheet)) (firstWrong(place) ?? withoutWords(place) ?? fieldIn(place)).focus();
  else sayUnsent(sheet, xhr);
});

function settle(sheet) {
  const sent = $("[data-sent]", sheet), wasShown = isShown(sheet);
  const card = sent ? $(".post", sent) : $("#list .post");
  $$("[data-counted]", sheet).forEach(showCount);
  if (sent) showInPlace(card, sent.dataset.sent, "together" in sent.dataset);
  else if (card) toast("Posted", { view: $(".post-time", card).href }); // the form of the page, which has put it there
  card?.classList.add("post-new");
  if (read?.post.isConnected) scrollBy({ top: topOf(read.post) - read.top, behavior: "instant" });
  giveBack(sheet);
  sheet.remove();
  if (wasShown) dialog.close();
}

// Refused after the dialog was closed. Where there was no answer, toasts.js says why.
function sayUnsent(sheet, { status }) {
  const way = wayTo(sheet), why = $(".error, .ask-for-words", sheet)?.textContent;
  giveBack(sheet);
  if (status === 422) toast(`That wasn’t sent. ${why ?? ""}`, { way });
}

const wayTo = ({ dataset: { address } }) => ({ words: "Back to it", go: () => open(address) });
offerWay(({ requestConfig: { elt } }) => {
  const sheet = elt.matches("form.composer") && sheetOf(elt);
  return sheet && !isShown(sheet) ? wayTo(sheet) : null;
});

function showCount(counted) {
  const link = $(".action-reply", counted);
  counted.remove();
  $$(`[data-post="${counted.dataset.counted}"] .action-reply`).forEach((each) => each.replaceWith(link.cloneNode(true)));
}

function showInPlace(card, answered, isTogether) {
  const list = $("#list"), branch = $(`.branch > [data-post="${answered}"]`)?.parentElement;
  if (list && $(`[data-entry="${card.dataset.entry}"]`, list)) return; // a form sent again, after its answer was lost
  if (!answered && ($("#pill") || isAbout(card))) list.prepend(card);
  else if (answered && $(`[data-permalink="${answered}"]`)) list.prepend(asBranch(card));
  else if (branch) branchesOf(branch).append(asBranch(card));
  else if (answered && isTogether && $("#seen-here")) goOn(card, answered);
  else return; // what has no place here is new to the page: the pill brings it
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
