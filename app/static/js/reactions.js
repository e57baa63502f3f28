// Likes, bookmarks and reposts show at once, on every card of their post. What is pressed meanwhile is sent afterwards,
// one after another, so that nothing is lost with what an answer replaces; what fails goes back, and toasts.js says why.

import { doing, undoing } from "./addresses.js";
import { $, $$ } from "./dom.js";

const KINDS = { like: ".action-like", bookmark: ".action-bookmark", repost: ".action-repost" };
// Posts of which something is not answered yet, by id. For each kind that was pressed: as the server has it (`settled`),
// and as the reader wants it (`wanted`).
const unanswered = new Map();

const cardsOf = (id) => $$(`[data-post="${id}"]`);
const isOn = (button) => button.classList.contains("is-on") || button.getAttribute("aria-pressed") === "true";

// ---- How it looks

function count(button, by) {
  const number = $(".action-number", button), now = number ? number.textContent : "0";
  if (!/^\d+$/.test(now)) return; // 1.2K stays 1.2K
  const next = Number(now) + by;
  if (number) number.textContent = next || "";
  else button.insertAdjacentHTML("beforeend", `<span class="action-number" aria-hidden="true">${next}</span>`);
  button.setAttribute("aria-label", button.title + (next ? `, ${next} so far` : ""));
}

function turn(button, kind, on) {
  if (isOn(button) === on) return;
  if (kind === "repost") turnRepost(button, on);
  else button.setAttribute("aria-pressed", String(on));
  if (kind !== "bookmark") count(button, on ? 1 : -1);
}

function turnRepost(button, on) {
  const label = button.getAttribute("aria-label").slice(button.title.length);
  button.classList.toggle("is-on", on);
  button.title = on ? "Reposted" : "Repost";
  button.setAttribute("aria-label", button.title + label);
  $("form .menu-item", button.parentElement).lastChild.textContent = on ? "Undo repost" : "Repost";
}

function show(id, kind, on) {
  for (const card of cardsOf(id)) {
    const button = $(KINDS[kind], card);
    if (button) turn(button, kind, on);
  }
}

// ---- Pressed

document.addEventListener("submit", (event) => {
  const form = event.target, button = form.closest(".post-actions") && pressedIn(form);
  if (!button) return;
  event.preventDefault();
  event.stopImmediatePropagation(); // it is sent from here
  const menu = form.closest(".repost-menu");
  if (menu) {
    menu.open = false;
    button.focus();
  }
  const kind = Object.keys(KINDS).find((each) => button.matches(KINDS[each]));
  press(form.closest("[data-post]").dataset.post, kind, !isOn(button), form);
}, true);

function pressedIn(form) {
  return $(".action", form) ?? $(KINDS.repost, form.closest(".repost-menu"));
}

function press(id, kind, on, form) {
  if (!unanswered.has(id)) unanswered.set(id, { number: 0, settled: {}, wanted: {}, last: Promise.resolve() });
  const post = unanswered.get(id), path = doing(form.getAttribute("action"));
  post.settled[kind] ??= !on;
  post.wanted[kind] = on;
  show(id, kind, on);
  post.number += 1;
  post.last = post.last.then(() => send(id, kind, path, form.elements.entry.value)).then(() => {
    post.number -= 1;
    if (!post.number) unanswered.delete(id);
  });
}

// ---- Sent

async function send(id, kind, path, entry) {
  const { settled, wanted } = unanswered.get(id), on = wanted[kind];
  if (on === settled[kind]) return; // pressed again meanwhile
  if (await post(on ? path : undoing(path), entry)) settled[kind] = on;
  else if (wanted[kind] !== settled[kind]) show(id, kind, (wanted[kind] = settled[kind]));
}

// From a place of its own: the card may leave the page meanwhile, and nobody would hear of the answer.
function post(path, entry) {
  const source = document.createElement("span"), target = $(`#actions-${entry}`);
  $("#main").append(source);
  const answered = new Promise((resolve) => {
    source.addEventListener("htmx:afterRequest", ({ detail }) => resolve(detail.successful));
    source.addEventListener("not-sent", () => resolve(false));
  });
  const place = target ? { target, swap: "outerHTML" } : { target: source, swap: "none" };
  htmx.ajax("POST", path, { source, ...place, values: { entry } }).catch(() => {}); // a toast says why
  return answered.finally(() => source.remove());
}

// ---- Answered: what is replaced still shows what was pressed meanwhile, and all cards of the post show the same

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target.matches(".post-actions:has(.menu[open])")) detail.shouldSwap = false; // not from under a hand
});
document.addEventListener("htmx:load", ({ target }) => {
  const id = target.matches?.(".post-actions") && target.closest("[data-post]")?.dataset.post;
  if (!id) return;
  const { wanted = {} } = unanswered.get(id) ?? {};
  for (const kind in KINDS) {
    const button = $(KINDS[kind], target);
    if (!button) continue;
    if (kind in wanted) turn(button, kind, wanted[kind]);
    cardsOf(id).forEach((card) => copy(button, $(KINDS[kind], card), kind));
  }
});

function copy(from, to, kind) {
  if (!to || to === from) return;
  turn(to, kind, isOn(from));
  to.setAttribute("aria-label", from.getAttribute("aria-label"));
  to.replaceChildren(...[...from.childNodes].map((node) => node.cloneNode(true)));
}
