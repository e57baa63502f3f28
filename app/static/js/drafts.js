// Drafts: what is typed into a form with `data-draft="<place>"` is kept in this browser until it is sent or discarded.
// Of its images, which wait on the server, it keeps the ids and what was written about them.
//
// Each page keeps its own, `draft:<account>:<place>:<page>`, so that two tabs do not write over each other; a page that
// opens takes the newest over. They are an account's own: another one on this browser never sees them, and a log-out
// removes them, because a person who presses that button leaves the computer to another. A session that ran out does
// not. See docs/decisions/0013-drafts.md.

import { to } from "./addresses.js";
import { $, $$ } from "./dom.js";
import { askBefore } from "./forms.js";
import { showImages } from "./images.js";
import { attempt, draftsOf, forgetAll, noteLeaving, remove, stored } from "./storage.js";

const HERE = "drafts-of"; // who was last logged in here, until they log out
const { account, posted } = document.body.dataset;
const page = Date.now().toString(36) + Math.random().toString(36).slice(2, 8);
const taken = new Map(); // place -> the draft of an earlier page that this one goes on with
const sent = new Set(); // places from which this page has posted: the drafts of other tabs stay there

// ---- Its drafts

const keyFor = (place) => `draft:${account}:${place}:${page}`;

function newest(place) {
  const theirs = sent.has(place) ? [keyFor(place)] : draftsOf(`${account}:${place}`);
  return theirs.map(stored).filter((draft) => draft.values).sort((a, b) => b.at - a.at)[0];
}

// ---- A form and its values

const isText = (field) => field.matches("textarea, input:not([type=radio], [type=checkbox])");
const fieldsOf = (form) => [...form.elements].filter((field) => field.name && !field.closest("[data-images]")
  && field.matches("textarea, select, input:not([type=hidden], [type=file], [type=submit])"));

function valuesOf(form) {
  const values = {};
  for (const field of fieldsOf(form)) {
    if (field.type === "checkbox") values[field.name] = field.checked;
    else if (field.type !== "radio" || field.checked) values[field.name] = field.value;
  }
  return values;
}

function fill(form, values) {
  for (const field of fieldsOf(form).filter(({ name }) => name in values)) {
    if (field.type === "checkbox") field.checked = values[field.name];
    else if (field.type === "radio") field.checked = field.value === values[field.name];
    else field.value = values[field.name];
    if (isText(field) && field.value) field.closest("details:not(.menu)")?.setAttribute("open", "");
  }
  tell(form);
}

// Others count what is left. Not bubbling as far as this file: nothing was typed.
let isTelling = false;
function tell(form) {
  isTelling = true;
  fieldsOf(form).filter(isText).forEach((field) => field.dispatchEvent(new Event("input", { bubbles: true })));
  isTelling = false;
}

// A form with `data-draft-over` starts with something that was not typed, and a draft is what the author made of it.
const isOver = (form) => form.hasAttribute("data-draft-over");
const isAsItCame = (form) => isOver(form) && fieldsOf(form).every((field) => (isText(field) ? field.value === field.defaultValue : field.checked === field.defaultChecked));
const textIn = (form) => fieldsOf(form).filter(isText).map((field) => field.value.trim()).join("\n").trim();
const imagesOf = (form) => [...form.querySelectorAll("[data-images] [name=images]")].map((image) => ({ id: image.value, alt: $("[name^=alt-]", image.parentElement).value }));
const isEmpty = (form) => !imagesOf(form).length && (!textIn(form) || isAsItCame(form));

// ---- Keeping, taking over, forgetting

const isLoggedOut = () => attempt((storage) => storage.getItem(HERE)) === null; // perhaps in another tab

function keep(form) {
  const place = form.dataset.draft, key = keyFor(place);
  if (isEmpty(form)) return forget(place);
  if (isLoggedOut()) return;
  const draft = JSON.stringify({ at: Date.now(), values: valuesOf(form), images: imagesOf(form), once: onceOf(form), version: form.elements.version?.value });
  attempt((storage) => { storage.setItem(key, draft); leaveEarlier(place); });
  sayChanged(form);
}

// draftlist.js shows which there are.
const sayChanged = (form) => document.dispatchEvent(new CustomEvent("drafts-changed", { detail: { isListed: Boolean(form?.isConnected && !form.closest("dialog")) } }));

function forget(place) {
  leaveEarlier(place);
  remove(keyFor(place));
  sayChanged();
}

// Words that were typed where there was no form for them yet.
export function keepWords(place, words) {
  if (isLoggedOut()) return;
  const { values, images, once } = newest(place) ?? {}, text = (values?.text ?? "") + words;
  attempt((storage) => storage.setItem(keyFor(place), JSON.stringify({ at: Date.now(), values: { ...values, text }, images, once })));
}

function leaveEarlier(place) {
  const earlier = taken.get(place);
  taken.delete(place);
  // Unless another tab has gone on with it, whose draft it is then.
  if (earlier && earlier.key !== keyFor(place) && stored(earlier.key).raw === earlier.raw) remove(earlier.key);
}

function open(form) {
  form.autocomplete = "off"; // browsers fill in what was typed here before, even by another account
  const draft = newest(form.dataset.draft);
  if (!draft) return;
  if (imagesOf(form).length || (textIn(form) && !isOver(form))) { // what the server sent back is newer; usually it is the same
    if (!isSame(draft, form)) return;
    taken.set(form.dataset.draft, draft);
    return draft.once === onceOf(form) || keep(form); // it came back under another name
  }
  taken.set(form.dataset.draft, draft);
  restore(form, draft);
}

const isSame = ({ values, images = [] }, form) => values.text?.trim() === form.elements.text?.value.trim()
  && imagesOf(form).every(({ id }) => images.some((image) => image.id === id));

const RESTORED = "Draft restored";
const CHANGED = "Draft restored. The post has changed since you began it; you’ll see both before yours is saved.";

async function restore(form, { values, images = [], once, version }) {
  fill(form, values);
  if (once && form.elements.once) form.elements.once.value = once; // it may have been sent: then it is not posted again
  const words = goOnFrom(version, form.elements.version) ? CHANGED : RESTORED, leave = () => discard(form.dataset.draft, onceOf(form)) && sayChanged();
  say(form, words, "Discard", leave);
  const gone = images.length ? await showImages(form, images) : [];
  if (!gone.length) return;
  if (!isEmpty(form)) return say(form, `Draft restored. ${about(gone)}`, "Discard", leave);
  forget(form.dataset.draft);
  say(form, about(gone));
}

// A change to a post goes on from the version that it was begun with: the server says what was written meanwhile.
function goOnFrom(version, field) {
  if (!version || !field) return false;
  field.dataset.now ??= field.value;
  field.value = version;
  return version !== field.dataset.now;
}

function about(gone) {
  const those = gone.length > 1 ? `${gone.length} images from your draft are` : "An image from your draft is";
  const written = gone.filter(({ alt }) => alt.trim()).map(({ alt }) => ` You’d described it as “${alt.trim()}”`);
  return `${those} no longer here. Unposted images are kept for a week.${written.join("")}`;
}

// ---- Discarding: wherever it is, in this tab and in others. Copies of one draft have the name of its first form in common

const onceOf = (form) => form.elements.once?.value;
const DISCARDED = `discarded:${account}`; // what was discarded last: for the other tabs
let heeded = Date.now();

// Return how to take it back.
export function discard(place, once) {
  const copies = draftsOf(`${account}:${place}`).map(stored).filter((draft) => draft.once === once);
  copies.forEach(({ key }) => remove(key));
  taken.delete(place);
  heeded = Date.now();
  attempt((storage) => storage.setItem(DISCARDED, JSON.stringify({ place, once, at: heeded })));
  const refills = emptyAll(place, once);
  return () => {
    copies.forEach(({ key, raw }) => attempt((storage) => storage.setItem(key, raw))); // unless it is full meanwhile
    refills.forEach((refill) => refill());
  };
}

function emptyAll(place, once) {
  const forms = $$(`form[data-draft="${place}"]`).filter((form) => onceOf(form) === once && !isEmpty(form));
  return forms.map(empty);
}

function empty(form) {
  const draft = { values: valuesOf(form), images: imagesOf(form), version: form.elements.version?.value };
  showImages(form, []); // they go on waiting, so that this can be undone
  form.reset();
  if (!isOver(form) && !form.elements.version) fieldsOf(form).filter(isText).forEach((field) => (field.value = "")); // it came back with what was typed
  if (form.elements.version?.dataset.now) form.elements.version.value = form.elements.version.dataset.now;
  tell(form);
  const refill = () => { restore(form, draft); keep(form); };
  say(form, "Draft discarded", "Undo", refill);
  return refill;
}

function heed() {
  const { place, once, at } = stored(DISCARDED);
  if (!(at > heeded)) return;
  heeded = at;
  emptyAll(place, once);
}

function say(form, words, action, act) {
  const line = $(".draft-line", form) ?? document.createElement("p");
  line.className = "draft-line";
  line.setAttribute("role", "status");
  if (!line.isConnected) $("textarea", form).after(line);
  line.replaceChildren(words);
  if (!action) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "link-button";
  button.textContent = action;
  button.addEventListener("click", () => { act(); $("textarea", form).focus(); });
  line.append(" · ", button);
}

// ---- When

function openAll(within) {
  const forms = [...within.querySelectorAll("form[data-draft]")];
  if (within.matches?.("form[data-draft]")) forms.push(within);
  forms.forEach(open);
}

attempt((storage) => storage.setItem(HERE, account));
document.addEventListener("input", ({ target }) => {
  if (!isTelling && target.form?.matches("[data-draft]")) keep(target.form);
});
document.addEventListener("images-changed", ({ target }) => target.matches("[data-draft]") && keep(target));
document.addEventListener("htmx:load", ({ target }) => openAll(target));
document.addEventListener("htmx:beforeSwap", ({ detail: { xhr, requestConfig: { elt } } }) => {
  if (!elt.matches("form[data-draft]") || xhr.status >= 300) return;
  forget(elt.dataset.draft);
  sent.add(elt.dataset.draft);
});
// A plain form: the page after it says in `data-posted` that the server took it.
document.addEventListener("submit", ({ target }) => {
  if (!target.matches("form[data-draft]") || target.hasAttribute("hx-post")) return;
  keep(target);
  const name = document.createElement("input");
  Object.assign(name, { type: "hidden", name: "draft", value: page });
  $("[name=draft]", target)?.remove();
  target.append(name);
});

// ---- Leaving

const pathOf = (form) => new URL(form.getAttribute("action") || "", location).pathname; // not .action: a form may have a field of that name

askBefore((form) => pathOf(form) === to.logOut && draftsOf(account).length
  && { question: "Log out? Drafts you haven’t posted will be deleted from this browser.", yes: "Log out" });
document.addEventListener("submit", ({ target }) => {
  if (pathOf(target) === to.deleteAccount) noteLeaving();
  if (pathOf(target) !== to.logOut) return;
  forgetAll(account);
  remove(HERE);
});

// A page that the browser kept as it was, for the way back: not for another account that has logged in since, nor after a log-out.
window.addEventListener("storage", heed);
window.addEventListener("pageshow", ({ persisted }) => {
  if (persisted) heed();
  if (persisted && attempt((storage) => storage.getItem(HERE)) !== account) location.reload();
  else if (persisted && attempt(() => sessionStorage.getItem("posted")) === page) history.back(); // it is sent: on to where it was begun
});
if (posted) attempt(() => sessionStorage.setItem("posted", posted));
openAll(document);
