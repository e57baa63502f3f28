// Completion while the author writes: people after an @, tags after a #. Without it, both are typed to the end.
//
// The field stays what it is, a text box of several lines, which ARIA does not allow to be a combobox; `aria-controls`
// and `aria-activedescendant` say the same of it. What counts is the text before the caret, never the key that was
// pressed: a keyboard on the screen may not say which one that was.

import { to } from "./addresses.js";

const FIELD = ".composer textarea[name=text]";
const PAUSE = 120; // milliseconds in which nothing more is typed
// As app/core/text.py finds them: not inside of a word or an address.
const BEGUN = /(?<![\p{L}\p{N}_@/])@[\p{L}\p{N}\p{M}_]{0,30}$|(?<![\p{L}\p{N}_#&/])#[\p{L}\p{N}\p{M}_]{1,64}$/u;
const REST = /^[\p{L}\p{N}\p{M}_]*/u;

const status = document.createElement("p");
status.className = "visually-hidden";
status.setAttribute("role", "status");
document.body.append(status);

let field = null; // where the author writes
let list = null; // what is offered, while it is
let wanted = ""; // what is asked for: an answer to anything else comes too late
let refused = -1; // where the word starts at which Escape was pressed: nothing more is offered for it
let timer = 0;

// ---- What has been begun at the caret

function begun(textarea) {
  if (textarea.selectionStart !== textarea.selectionEnd) return "";
  return BEGUN.exec(textarea.value.slice(0, textarea.selectionStart))?.[0] ?? "";
}

function look(textarea) {
  const typed = begun(textarea), start = textarea.selectionStart - typed.length;
  if (!typed || start !== refused) refused = -1;
  if (!typed || start === refused) return close();
  if (typed === wanted && textarea === field) return;
  if (textarea !== field) close();
  (textarea.closest("dialog") ?? document.body).append(status); // outside of a dialog nothing is read out
  [field, wanted] = [textarea, typed];
  if (list) narrow();
  clearTimeout(timer);
  timer = setTimeout(ask, PAUSE);
}

async function ask() {
  const typed = wanted, textarea = field;
  const answer = await fetch(`${to.completions}?q=${encodeURIComponent(typed)}`, { headers: { "HX-Request": "true" } }).catch(() => null);
  if (!answer?.ok) return; // nobody asked for it in so many words: typing on is all there is to do
  const html = await answer.text();
  if (typed === wanted && textarea === field && document.activeElement === textarea) open(html);
}

// ---- The list

const options = () => [...(list?.querySelectorAll("[role=option]:not([hidden])") ?? [])];
const chosen = () => list?.querySelector("[aria-selected=true]:not([hidden])");
const fits = (text, typed) => text.toLowerCase().startsWith(typed.toLowerCase());
const isWhole = () => options().some((option) => option.dataset.text.toLowerCase() === wanted.toLowerCase());

function open(html) {
  const fresh = new DOMParser().parseFromString(html, "text/html").body.firstElementChild;
  list?.remove();
  list = fresh;
  field.after(list);
  if (!settle()) return;
  const number = options().length;
  status.textContent = `${number} ${number === 1 ? "suggestion" : "suggestions"}. Use the arrow keys to choose, Enter to accept.`;
}

// Until the answer to the next letter is here, what no longer fits is gone already: Enter must not take it.
function narrow() {
  for (const option of [...list.children]) {
    const words = option.querySelector(".post-name")?.textContent.split(/[^\p{L}\p{N}\p{M}]+/u) ?? [];
    if (!fits(option.dataset.text, wanted) && !words.some((word) => fits(word, wanted.slice(1)))) option.remove();
  }
  settle();
}

function settle() {
  if (!list.children.length) return hide();
  field.setAttribute("aria-autocomplete", "list");
  field.setAttribute("aria-haspopup", "listbox");
  field.setAttribute("aria-controls", list.id);
  place();
  // Enter takes what is chosen. A new tag is as good as a known one and a whole handle is complete: it ends the line.
  const first = wanted.length > 1 && wanted[0] === "@" && !isWhole() ? options()[0] : null;
  choose(chosen() ?? first);
  return true;
}

function hide() {
  status.textContent = "";
  list?.remove();
  list = null;
  for (const name of ["aria-controls", "aria-activedescendant", "aria-haspopup", "aria-autocomplete"]) field?.removeAttribute(name);
}

function close() {
  clearTimeout(timer);
  wanted = "";
  hide();
}

function choose(option) {
  options().forEach((each) => each.setAttribute("aria-selected", String(each === option)));
  if (!option) return field.removeAttribute("aria-activedescendant");
  field.setAttribute("aria-activedescendant", option.id);
}

function step(by) {
  const all = options(), here = all.indexOf(chosen());
  const next = here < 0 ? (by > 0 ? 0 : all.length - 1) : (here + by + all.length) % all.length;
  choose(all[next]);
}

// Below the field, and no longer than there is room above what covers the screen from below: a keyboard, or the bar of
// tabs. The last ones are left out rather than scrolled to; one letter more brings them up.
function place() {
  const all = [...list.children];
  all.forEach((option) => (option.hidden = false));
  list.style.top = `${field.offsetTop + field.offsetHeight}px`;
  const view = window.visualViewport, bar = document.querySelector(".tabs");
  const dialog = field.closest("dialog"); // the page behind it stays where it is
  const covered = bar && !dialog && getComputedStyle(bar).position === "fixed" ? bar.offsetHeight : 0;
  const room = () => (view ? view.offsetTop + view.height : innerHeight) - list.getBoundingClientRect().top - covered - 8;
  const missing = Math.min(list.offsetHeight - room(), 220 - room(), field.getBoundingClientRect().bottom - 110);
  if (missing > 0) (dialog ?? window).scrollBy({ top: missing, behavior: "instant" }); // and what is written stays in sight
  for (let last = all.length - 1; last > 1 && list.offsetHeight > room(); last -= 1) all[last].hidden = true;
}

// ---- Taking one

function take(option) {
  const caret = field.selectionStart, from = caret - begun(field).length;
  const after = field.value.slice(caret), to = caret + REST.exec(after)[0].length;
  const text = option.dataset.text + (/^\s/.test(field.value.slice(to)) ? "" : " ");
  const textarea = field;
  close();
  textarea.focus();
  textarea.setSelectionRange(from, to);
  // The one way that can be undone with Ctrl+Z, where the browser still knows it.
  if (document.execCommand("insertText", false, text)) return;
  textarea.setRangeText(text, from, to, "end");
  textarea.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

document.addEventListener("keydown", (event) => {
  if (!list || event.target !== field || event.isComposing) return;
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const option = chosen() ?? (event.key === "Tab" && !isWhole() ? options()[0] : null);
  if (event.key === "ArrowDown" || event.key === "ArrowUp") step(event.key === "ArrowDown" ? 1 : -1);
  else if ((event.key === "Enter" || event.key === "Tab") && option) take(option);
  else if (event.key === "Escape") { refused = field.selectionStart - wanted.length; close(); }
  else return;
  event.preventDefault();
  event.stopPropagation();
}, true);

document.addEventListener("mousedown", (event) => { if (list?.contains(event.target)) event.preventDefault(); }); // the field keeps the focus, and a phone its keyboard
document.addEventListener("click", (event) => {
  const option = list?.contains(event.target) && event.target.closest("[role=option]");
  if (option) take(option);
});

// ---- When to look

document.addEventListener("input", ({ target, isTrusted }) => { if (isTrusted && target.matches?.(FIELD)) look(target); }); // what a script wrote, nobody typed
document.addEventListener("selectionchange", () => { if (wanted && document.activeElement === field) look(field); });
document.addEventListener("focusout", ({ target }) => { if (target === field) close(); });
document.addEventListener("htmx:beforeSwap", ({ detail: { target } }) => { if (field && target.contains(field)) close(); });
window.visualViewport?.addEventListener("resize", () => list && place());
