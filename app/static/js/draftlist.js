// The drafts of this browser where they are not being written: the list of them, a mark on what they answer, and how
// many there are in the navigation. drafts.js keeps them.

import { to } from "./addresses.js";
import { $, $$ } from "./dom.js";
import { discard as discardDraft } from "./drafts.js";
import { lines, whenSlow } from "./slow.js";
import { draftsOf, stored } from "./storage.js";
import { inFull } from "./times.js";

const { account } = document.body.dataset;
const list = $("#drafts"), AT_ONCE = Number(list?.dataset.atOnce); // subjects that the server shows in one answer
const ABOUT = { reply: "Reply", quote: "Quote", edit: "Change to a post", post: "Post" };

// ---- Which there are: of each place the newest, which its form goes on with

function drafts() {
  const newest = new Map();
  for (const key of draftsOf(account)) {
    const draft = { ...stored(key), place: key.split(":")[2] };
    if (draft.values && !(newest.get(draft.place)?.at > draft.at)) newest.set(draft.place, draft);
  }
  return [...newest.values()].sort((a, b) => b.at - a.at);
}

const subjectOf = ({ place }) => { const [kind, id] = place.split("-"); return { kind, id }; };
const addressOf = ({ kind, id }) => ({ post: to.compose, reply: `${to.compose}?reply_to=${id}`, quote: `${to.compose}?quote_of=${id}`, edit: to.edit(id) })[kind];

// ---- Everywhere: a mark on the way to a reply that is half written, and a number

const HINT = ", draft kept";

function mark(within) {
  const all = drafts(), answered = new Set(all.map(subjectOf).filter(({ kind }) => kind === "reply").map(({ id }) => id));
  $$("#drafts-count, #drafts-in-menu").forEach((badge) => (badge.textContent = all.length || ""));
  $$("#drafts-hint").forEach((hint) => (hint.textContent = all.length ? ", drafts kept" : ""));
  showFolded(all.find(({ place }) => place === "post"));
  for (const link of $$(".action-reply", within)) {
    const has = answered.has(link.closest("[data-post]")?.dataset.post), plain = link.getAttribute("aria-label").replace(HINT, "");
    link.classList.toggle("has-draft", has);
    link.setAttribute("aria-label", has ? plain + HINT : plain);
  }
}

// The composer that is folded to a line says what is in it.
const folded = $("#composer-folded-words"), unfolded = folded?.textContent;
function showFolded(draft) {
  if (!folded) return;
  folded.textContent = draft ? `Draft: ${wordsOf(draft) || imagesOf(draft)}` : unfolded;
  folded.classList.toggle("is-draft", Boolean(draft));
}

const wordsOf = ({ values: { text = "", warning = "" } }) => [warning, text].filter((words) => words.trim()).join("\n\n");
const imagesOf = ({ images }) => (images?.length ? `${images.length} image${images.length > 1 ? "s" : ""}` : "");

// ---- The list

async function show() {
  const all = drafts(), template = $("#draft").content.firstElementChild;
  const items = all.map((draft) => itemFor(template.cloneNode(true), draft));
  list.replaceChildren(...items);
  $("#no-drafts").hidden = all.length > 0;
  const about = all.map((draft, place) => ({ item: items[place], id: subjectOf(draft).id })).filter(({ id }) => id);
  for (let start = 0; start < about.length; start += AT_ONCE) await showSubjects(about.slice(start, start + AT_ONCE));
}

function itemFor(item, draft) {
  const { kind, id } = subjectOf(draft);
  $(".draft-kind", item).textContent = ABOUT[kind];
  $(".draft-text", item).textContent = wordsOf(draft);
  $(".draft-images", item).textContent = imagesOf(draft);
  $("time", item).dateTime = new Date(draft.at).toISOString();
  $("time", item).textContent = inFull(new Date(draft.at));
  $(".draft-open", item).href = addressOf({ kind, id });
  $(".draft-discard", item).addEventListener("click", () => discard(item, draft));
  return item;
}

function discard(item, { place, once }) {
  const bringBack = discardDraft(place, once);
  document.dispatchEvent(new CustomEvent("drafts-changed", { detail: { isListed: true } }));
  const words = Object.assign(document.createElement("p"), { className: "hint", textContent: "Draft discarded · " });
  const undo = Object.assign(document.createElement("button"), { type: "button", className: "link-button", textContent: "Undo" });
  undo.addEventListener("click", () => {
    bringBack();
    show().then(() => mark(document));
  });
  words.append(undo);
  item.replaceChildren(words);
  undo.focus();
}

// What they answer and quote, as far as it can be seen; null where that could not be asked.
async function subjectsOf(ids) {
  const asked = new URLSearchParams(ids.map((id) => ["about", id]));
  const answer = await fetch(`${to.drafts}?${asked}`, { headers: { "HX-Request": "true" } }).catch(() => null);
  return answer?.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
}

async function showSubjects(about) {
  const stop = whenSlow(() => about.forEach(({ item }) => $(".draft-about", item)?.append(lines())));
  const found = await subjectsOf(about.map(({ id }) => id));
  stop();
  about.forEach(({ item }) => $(".draft-about", item)?.replaceChildren());
  if (!found) return;
  for (const { item, id } of about) {
    const subject = $(`[data-about="${id}"]`, found);
    if (subject) $(".draft-about", item)?.replaceChildren(...subject.cloneNode(true).childNodes);
    else {
      $(".draft-about", item)?.replaceChildren("What it’s about is gone or isn’t visible to you. Your text can be copied.");
      $(".draft-open", item)?.remove();
    }
  }
}

// ---- When

function refresh({ detail }) {
  if (list && !detail?.isListed) show();
  mark(document);
}
document.addEventListener("drafts-changed", refresh);
window.addEventListener("storage", refresh);
document.addEventListener("htmx:load", ({ target }) => mark(target));
window.addEventListener("pageshow", refresh);
