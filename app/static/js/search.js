// The search field: what one searched for lately, kept in this browser, and what one may mean while typing.
// The list below it holds plain links: arrow keys and Tab lead into it, Escape out of it. Without it, Enter searches.
// Where there is room beside the page of results, what one searched for lately stands there instead, until one asks.

import { to } from "./addresses.js";
import { $, $$, isForNewTab } from "./dom.js";
import { forgetSearches, keepSearches, recentSearches } from "./storage.js";

const MOST_KEPT = 8, MOST_WHILE_TYPING = 3, PAUSE = 150;
const field = $("#q"), panel = $("#suggestions"), beside = $("#recent-searches"), { account } = document.body.dataset;
const recent = element("div"), offers = element("div"); // the offers stay until others come: nothing flickers while one types
let timer, asking;

function remember(typed) {
  const words = typed.trim().slice(0, 200);
  if (words) keepSearches([words, ...recentSearches().filter((each) => each !== words)].slice(0, MOST_KEPT));
}

function element(name, values = {}, ...children) {
  const made = Object.assign(document.createElement(name), values);
  made.append(...children);
  return made;
}

// ---- The list

function recentItem(words, within) {
  const link = element("a", { className: "suggestion", href: `${to.search}?q=${encodeURIComponent(words)}` }, words);
  link.dataset.recent = words;
  const remove = element("button", { type: "button", className: "icon-button", title: "Remove" }, "×");
  remove.setAttribute("aria-label", `Remove “${words}” from your recent searches`);
  remove.addEventListener("click", () => {
    keepSearches(recentSearches().filter((each) => each !== words));
    showBeside();
    if (within === recent) show({ isAsked: true });
    ($(".suggestion", within) ?? field).focus();
  });
  return element("li", { className: "suggestion-recent" }, link, remove);
}

function recentList(typed, isAsked) {
  if (!typed && !isAsked && beside?.checkVisibility()) return []; // once is enough
  const found = recentSearches().filter((words) => words.toLowerCase().startsWith(typed.toLowerCase()) && words !== typed);
  const shown = typed ? found.slice(0, MOST_WHILE_TYPING) : found;
  if (!shown.length) return [];
  const list = listOf(shown, recent);
  return typed ? [list] : [element("p", { className: "suggestions-head" }, "Recent searches", clearButton()), list];
}

function listOf(searches, within) {
  const list = element("ul", {}, ...searches.map((words) => recentItem(words, within)));
  list.setAttribute("aria-label", "Recent searches");
  return list;
}

function clearButton() {
  const clear = element("button", { type: "button", className: "link-button" }, "Clear");
  clear.setAttribute("aria-label", "Clear your recent searches");
  clear.addEventListener("click", () => { forgetSearches(account); showBeside(); field.focus(); hide(); });
  return clear;
}

function showBeside() {
  if (!beside) return;
  const searches = recentSearches();
  beside.hidden = !searches.length;
  $(".panel-body", beside).replaceChildren(clearButton(), listOf(searches, beside));
}

async function offered(typed) { // people and tags
  asking?.abort();
  if (!typed) return "";
  asking = new AbortController();
  const answer = await fetch(`${to.suggestions}?q=${encodeURIComponent(typed)}`, { signal: asking.signal, headers: { "HX-Request": "true" } });
  return answer.ok ? answer.text() : "";
}

function show({ isAsked = false } = {}) {
  const typed = field.value.trim();
  recent.replaceChildren(...recentList(typed, isAsked));
  if (!typed) offers.replaceChildren();
  settle();
  clearTimeout(timer);
  if (typed) timer = setTimeout(() => add(typed), PAUSE);
}

async function add(typed) {
  const html = await offered(typed).catch(() => ""); // the list is no more than a help
  if (field.value.trim() !== typed || !field.form.contains(document.activeElement)) return;
  offers.innerHTML = html;
  settle();
}

function settle() {
  const number = $$(".suggestion", panel).length;
  panel.hidden = !number;
  $("#suggestions-told").textContent = number ? `${number} suggestion${number === 1 ? "" : "s"} below` : "";
}

function hide() {
  clearTimeout(timer);
  asking?.abort();
  recent.replaceChildren();
  offers.replaceChildren();
  settle();
}

// ---- The tips stand behind a “?”, which is opened where one is; without scripts the page comes again with them open

document.addEventListener("click", (event) => {
  const tips = event.target.closest("[data-tips]") && $(".search-help");
  if (!tips || isForNewTab(event)) return;
  event.preventDefault();
  setTimeout(() => { // after whatever else a click closes
    tips.open = true;
    $("summary", tips).focus();
  });
});

// ---- When

if (field && panel) {
  panel.append(recent, offers);
  field.addEventListener("focus", () => show());
  field.addEventListener("input", () => show());
  field.form.addEventListener("submit", () => remember(field.value));
  field.form.addEventListener("focusout", ({ relatedTarget }) => field.form.contains(relatedTarget) || panel.matches(":active") || hide());
  document.addEventListener("click", (event) => event.composedPath().includes(field.form) || hide()); // what was clicked may be gone by now
  for (const list of [panel, beside]) list?.addEventListener("click", ({ target }) => target.dataset.recent && remember(target.dataset.recent));
  field.form.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !panel.hidden) {
      event.preventDefault(); // it would empty the field
      field.focus();
      return hide();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === 1 && panel.hidden) show({ isAsked: true });
    if (!step || panel.hidden) return;
    event.preventDefault();
    const stops = [field, ...$$(".suggestion", panel)], here = stops.indexOf(document.activeElement);
    stops[(Math.max(here, 0) + step + stops.length) % stops.length].focus();
  });
  window.addEventListener("pageshow", ({ persisted }) => persisted && (hide(), showBeside()));
  showBeside();
  if (document.activeElement === field) show();
}
