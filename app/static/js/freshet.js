// What htmx cannot say in attributes. Every page works without this file.

const $ = (selector, within = document) => within.querySelector(selector);
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];

// ---- Toasts: one sentence, from the server or about the connection

function toast(sentence) {
  const element = document.createElement("p");
  element.className = "toast";
  element.textContent = sentence;
  $("#toasts").append(element);
  setTimeout(() => element.remove(), 6000);
}

document.addEventListener("toast", (event) => toast(event.detail.value));
document.addEventListener("htmx:responseError", ({ detail: { xhr } }) => {
  const plain = (xhr.getResponseHeader("Content-Type") || "").startsWith("text/plain");
  toast(plain ? xhr.responseText : "That did not work. Please try again.");
});
document.addEventListener("htmx:sendError", () => toast("No connection. Nothing was lost; try again in a moment."));
document.addEventListener("htmx:timeout", () => toast("That took too long. Nothing was lost; try again."));

// ---- Questions before something is deleted

document.addEventListener("htmx:confirm", (event) => {
  if (!event.detail.question) return;
  event.preventDefault();
  const dialog = $("#confirm");
  $("#confirm-question").textContent = event.detail.question;
  dialog.returnValue = "no";
  dialog.showModal();
  dialog.addEventListener("close", () => dialog.returnValue === "yes" && event.detail.issueRequest(true), { once: true });
});

// ---- What must not be seen any more leaves the page at once

document.addEventListener("author-hidden", (event) => {
  const id = event.detail.value;
  if ($(`[data-profile="${id}"], [data-permalink] [data-author="${id}"]`)) return location.reload();
  $$(`[data-author="${id}"]`).forEach((post) => post.remove());
});
document.addEventListener("post-deleted", (event) => {
  const id = event.detail.value;
  if ($(`[data-permalink="${id}"]`)) return location.assign("/");
  $(`#post-${id}`)?.remove();
});

// ---- Menus: filled when opened, so that they are never stale; closed by Escape, a click elsewhere, or a choice

document.addEventListener("toggle", ({ target }) => {
  if (!target.matches?.("details.menu") || !target.open) return;
  $$("details.menu[open]").forEach((menu) => menu !== target && (menu.open = false));
  if (target.dataset.menu) htmx.ajax("GET", target.dataset.menu, { target: $(".menu-items", target), swap: "innerHTML" });
}, true);
document.addEventListener("click", (event) => {
  const copy = event.target.closest("[data-copy]");
  if (copy && navigator.clipboard) {
    event.preventDefault();
    navigator.clipboard.writeText(copy.href).then(() => toast("The link is copied."), () => location.assign(copy.href));
  }
  $$("details.menu[open]").forEach((menu) => {
    if (!menu.contains(event.target) || copy) menu.open = false;
  });
});
document.addEventListener("htmx:afterRequest", ({ target }) => {
  const menu = target.closest?.("details.menu");
  if (menu && target !== menu && !target.matches(".menu-items")) menu.open = false;
});

// ---- Writing: how much room is left, counted as people see characters

const segments = window.Intl?.Segmenter && new Intl.Segmenter(undefined, { granularity: "grapheme" });
const lengthOf = (text) => (segments ? [...segments.segment(text)].length : [...text].length);

function showRoom(textarea) {
  const max = Number(textarea.dataset.max);
  const left = max - lengthOf(textarea.value.normalize("NFC").trim());
  const count = $("#compose-count");
  count.textContent = left < 0 ? `${-left} too long` : `${left} left`;
  count.classList.toggle("over", left < 0);
}
document.addEventListener("input", ({ target }) => target.id === "compose" && showRoom(target));
document.addEventListener("htmx:load", ({ target }) => {
  const textarea = target.id === "composer" ? $("#compose", target) : null;
  if (textarea) showRoom(textarea);
});
document.addEventListener("htmx:afterRequest", ({ target, detail }) => {
  if (target.id !== "composer" || !detail.successful) return;
  $("#list > .post")?.classList.add("post-new");
  $("#compose")?.focus();
});
if ($("#compose")) showRoom($("#compose"));

// ---- The feed says that it is loading

document.addEventListener("htmx:beforeRequest", ({ target }) => target.rel === "next" && $("#list")?.setAttribute("aria-busy", "true"));
document.addEventListener("htmx:afterSettle", () => $("#list")?.setAttribute("aria-busy", "false"));

// ---- Keys

const isTyping = (element) => element.closest("input, textarea, select, [contenteditable], dialog");
let waitsForPlace = false;

function step(by) {
  const posts = $$("[data-entry]");
  if (!posts.length) return;
  const here = posts.indexOf(document.activeElement?.closest("[data-entry]"));
  const below = posts.findIndex((post) => post.getBoundingClientRect().top >= 60);
  const next = here >= 0 ? here + by : Math.max(0, below);
  const post = posts[Math.min(Math.max(next, 0), posts.length - 1)];
  post.focus({ preventScroll: true });
  post.scrollIntoView({ block: "nearest" });
  if (next >= posts.length - 1) $("[rel=next]")?.scrollIntoView({ block: "nearest" });
}

const KEYS = {
  j: () => step(1),
  k: () => step(-1),
  n: () => ($("#compose") ? $("#compose").focus() : location.assign("/compose")),
  o: () => $(".post-time", document.activeElement?.closest("[data-entry]") || undefined)?.click(),
  g: () => { waitsForPlace = true; setTimeout(() => (waitsForPlace = false), 1000); },
  "?": () => $("#keys").showModal(),
};
const PLACES = { h: "/", e: "/explore" };

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    const menu = $("details.menu[open]");
    if (menu) { menu.open = false; $("summary", menu).focus(); }
    return;
  }
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.id === "compose") return event.target.form.requestSubmit();
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  if (event.key === "Enter" && event.target.matches("[data-entry]")) return $(".post-time", event.target).click();
  const run = waitsForPlace && PLACES[event.key] ? () => location.assign(PLACES[event.key]) : KEYS[event.key];
  if (!run) return;
  event.preventDefault();
  run();
});
