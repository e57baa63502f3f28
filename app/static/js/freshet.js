// What htmx cannot say in attributes. Every page works without this file.

const $ = (selector, within = document) => within.querySelector(selector);
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];

// ---- Toasts: one sentence, from the server or about the connection

function toast(sentence) {
  const element = document.createElement("p");
  element.className = "toast";
  element.textContent = sentence;
  const dialog = $("dialog[open]"), toasts = $("#toasts");
  if (dialog && !dialog.contains(toasts)) { // whatever is outside of it is behind it, and not read out
    dialog.append(toasts);
    dialog.addEventListener("close", () => document.body.append(toasts), { once: true });
  }
  if (dialog) element.setAttribute("role", "alert");
  toasts.replaceChildren(element); // the last one is what counts: an error must not outlive what made up for it
  setTimeout(() => element.remove(), 6000);
}

// What the page asks by itself, every few seconds, fails in silence: nobody waits for it.
const wasAskedFor = ({ pathInfo }) => !/^\/feed\/new(?!\?show)/.test(pathInfo.requestPath);

document.addEventListener("toast", (event) => toast(event.detail.value));
document.addEventListener("htmx:responseError", ({ detail }) => {
  if (!wasAskedFor(detail)) return;
  const xhr = detail.xhr, plain = (xhr.getResponseHeader("Content-Type") || "").startsWith("text/plain");
  toast(plain ? xhr.responseText : "That didn’t work. Please try again.");
});
document.addEventListener("htmx:sendError", ({ detail }) => wasAskedFor(detail) && toast("No connection. Nothing was lost; try again in a moment."));
document.addEventListener("htmx:timeout", () => toast("That took too long. Nothing was lost; try again."));

// ---- Questions before something that cannot be undone

function ask(element, question, goOn) {
  const dialog = $("#confirm");
  $("#confirm-question").textContent = question;
  $("#confirm-yes").textContent = element.dataset.yes || "Delete";
  dialog.returnValue = "no";
  dialog.showModal();
  dialog.addEventListener("close", () => {
    if (dialog.returnValue === "yes") return goOn();
    const menu = element.closest("details.menu");
    if (menu) close(menu);
  }, { once: true });
}

document.addEventListener("htmx:confirm", (event) => {
  if (!event.detail.question) return;
  event.preventDefault();
  ask(event.target, event.detail.question, () => event.detail.issueRequest(true));
});
document.addEventListener("submit", (event) => { // a plain form
  const form = event.target;
  if (!form.dataset.ask || form.dataset.agreed) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  ask(form, form.dataset.ask, () => { form.dataset.agreed = "yes"; form.requestSubmit(); });
}, true);

// ---- Logged out under an open page: after a log-in in another tab, it goes on with the new session's token

let loggedOut = false;

async function renewToken() {
  const response = await fetch("/login"); // whoever is logged in is sent home from there
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const { account } = document.body.dataset, now = page.body.dataset.account || account;
  if (now !== account) { // nobody speaks in another's name because of a page that was left open
    toast(`You’re now logged in as @${now}. Log in as @${account} to send this.`);
    return false;
  }
  document.body.setAttribute("hx-headers", page.body.getAttribute("hx-headers"));
  $$("[name=csrf_token]").forEach((field) => (field.value = $("[name=csrf_token]", page).value));
  loggedOut = false;
  return true;
}
document.addEventListener("htmx:responseError", ({ detail: { xhr } }) => { loggedOut ||= xhr.status === 401; });
document.addEventListener("token-needed", ({ detail }) => (detail.renewed = renewToken()));
document.addEventListener("htmx:confirm", (event) => {
  if (!loggedOut || event.defaultPrevented) return;
  event.preventDefault();
  renewToken().catch(() => true).then((goOn) => goOn && event.detail.issueRequest(true));
});

// ---- A plain form is sent once, however often its button is clicked

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || form.hasAttribute("hx-post")) return;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = "yes";
});
window.addEventListener("pageshow", () => $$("form[data-sent]").forEach((form) => { delete form.dataset.sent; delete form.dataset.agreed; }));

// ---- What must not be seen any more leaves the page at once

function drop(gone) {
  const posts = $$("[data-entry]");
  const here = posts.findIndex((post) => post.contains(document.activeElement));
  const above = posts.slice(0, Math.max(here, 0)).filter((post) => !gone.includes(post)).length;
  gone.forEach((post) => post.remove());
  if (!gone.includes(posts[here])) return;
  const left = $$("[data-entry]"); // whoever goes by the keyboard goes on from where the post was
  (left[Math.min(above, left.length - 1)] || $("#main")).focus({ preventScroll: true });
}

document.addEventListener("author-hidden", ({ target, detail: { value: id } }) => {
  const permalink = $(`[data-permalink] [data-author="${id}"] .post-author`);
  if (permalink) return location.assign(permalink.href); // the profile says how one stands to them now
  if (!$(`[data-profile="${id}"]`)) return drop($$(`[data-author="${id}"]`));
  if (!target.closest(".relation, #sheet [hx-target]")) location.reload();
});
document.addEventListener("posts-gone", ({ detail: posts }) => drop(posts));
document.addEventListener("reposts-hidden", ({ detail: { value: handle } }) => drop($$(`[data-reposter="${handle}"]`)));
document.addEventListener("post-deleted", ({ detail: { value: id } }) => {
  if ($(`[data-permalink="${id}"]`)) return location.assign("/");
  drop($$(`[data-post="${id}"]`)); // its reposts too
});

document.addEventListener("entry-gone", ({ detail: { value: id } }) => drop($$(`[data-entry="${id}"]`))); // one's own repost

// ---- A click on a post opens it, unless it was meant for something else

document.addEventListener("click", (event) => {
  const post = event.target.closest("[data-entry]");
  if (!post || post.closest("[data-permalink], .stream-above") || $("details.menu[open]") || String(getSelection())) return;
  if (event.defaultPrevented || event.target.closest("a, button, summary, input, textarea, label, dialog")) return;
  const link = $(".post-time", post);
  if (event.ctrlKey || event.metaKey) open(link.href);
  else link.click();
});

// ---- Menus: filled when opened, so that they are never stale; closed by Escape, a click elsewhere, or a choice

async function fill(menu) {
  const items = $(".menu-items", menu), plain = items.innerHTML;
  const post = menu.closest("[data-author]"); // a source of its own: behind another request of the same one this would wait, unawaited
  await htmx.ajax("GET", menu.dataset.menu, { source: post, target: items, swap: "innerHTML" });
  if (!menu.open) return (items.innerHTML = plain);
  menu.addEventListener("toggle", () => (items.innerHTML = plain), { once: true });
  keepInSight(menu);
  const relation = $(`#relation-${post.dataset.author}`); // on a profile it changes, too
  if (relation) $$("form[action^='/@']", menu).forEach((form) => { form.setAttribute("hx-target", `#${relation.id}`); form.setAttribute("hx-swap", "outerHTML"); });
}

function keepInSight(menu) { // above its button, where there is no room below
  menu.classList.remove("menu-up");
  const items = $(".menu-items", menu).getBoundingClientRect(), tabs = $(".tabs");
  const floor = tabs && getComputedStyle(tabs).position === "fixed" ? topOf(tabs) : innerHeight;
  if (items.bottom > floor) menu.classList.toggle("menu-up", topOf(menu) - items.height > 60);
}

function close(menu) {
  if (menu.contains(document.activeElement)) $("summary", menu).focus();
  menu.open = false;
}

document.addEventListener("toggle", ({ target }) => {
  if (!target.matches?.("details.menu") || !target.open) return;
  $$("details.menu[open]").forEach((menu) => menu !== target && close(menu));
  if (target.dataset.menu) fill(target);
  else keepInSight(target);
}, true);
document.addEventListener("click", (event) => {
  const copy = event.target.closest("[data-copy]");
  if (copy && navigator.clipboard) {
    event.preventDefault();
    navigator.clipboard.writeText(copy.href).then(() => toast("Link copied."), () => location.assign(copy.href));
  }
  if (event.target.closest("dialog")) return; // a question about what was chosen
  $$("details.menu[open]").forEach((menu) => (!menu.contains(event.target) || copy) && close(menu));
});
document.addEventListener("htmx:afterRequest", ({ target }) => {
  const menu = target.closest?.("details.menu");
  if (menu) close(menu);
});
document.addEventListener("keyup", ({ key, target }) => { // where Tab has led out of a menu
  if (key === "Tab" && !target.closest("dialog")) $$("details.menu[open]").forEach((menu) => (menu.open = menu.contains(target)));
});
document.addEventListener("htmx:afterRequest", ({ detail: { target } }) => {
  // What was pressed is no longer there: stay beside it, for whoever goes by the keyboard.
  if (target.matches(".relation") && document.activeElement === document.body) $(`#${target.id} summary`)?.focus();
});

document.addEventListener("htmx:afterRequest", ({ detail: { target } }) => { // a request that was answered: on to the next one
  if (target.matches(".request") && document.activeElement === document.body) ($(".request button") || $("#main")).focus();
});

// ---- What a menu leads to: in a dialog over the page, so that nobody loses their place in it

document.addEventListener("htmx:afterRequest", ({ target, detail }) => { // after the menu has closed and has the focus again
  if (!detail.successful) return;
  const around = target.closest?.("dialog");
  if (around) around.close();
  else detail.target.closest?.("dialog")?.showModal();
});
document.addEventListener("click", (event) => {
  if (!event.target.closest("#sheet [data-close]")) return;
  event.preventDefault();
  $("#sheet").close();
});

// ---- Writing: how much room is left, counted as people see characters

const segments = window.Intl?.Segmenter && new Intl.Segmenter(undefined, { granularity: "grapheme" });
const lengthOf = (text) => (segments ? [...segments.segment(text)].length : [...text].length);

function showRoom(field) {
  const max = Number(field.dataset.max);
  const left = max - lengthOf(field.value.normalize("NFC").trim());
  const count = $(`#${field.dataset.count || "compose-count"}`);
  count.textContent = left < 0 ? `${-left} over` : `${left} left`;
  count.classList.toggle("over", left < 0);
}
document.addEventListener("input", ({ target }) => target.matches(".composer [data-max]") && showRoom(target));
document.addEventListener("htmx:load", ({ target }) => target.id === "composer" && $$("[data-max]", target).forEach(showRoom));
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (detail.requestConfig.elt.id !== "composer" || !detail.successful) return; // not the target: the form is a new one by now
  $("#list .post")?.classList.add("post-new");
  $("#compose")?.focus();
});
$$(".composer [data-max]").forEach(showRoom);

// ---- What belongs to a post besides its text: a choice closes its menu, and Enter in a field does not send the post

document.addEventListener("click", ({ target, detail }) => { // detail: not by the arrow keys, which click, too
  if (detail && target.closest(".composer-audience .check")) close(target.closest("details"));
});
document.addEventListener("toggle", ({ target }) => {
  if (target.matches?.(".composer-warning") && target.open && target.contains(document.activeElement)) $("input", target).focus();
}, true);
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.ctrlKey || event.metaKey || !event.target.matches(".composer-foot input")) return;
  event.preventDefault();
  const menu = event.target.closest("details.menu");
  if (menu) close(menu);
  else $("#compose").focus();
});

// ---- The feed says that it is loading

for (const [moment, busy] of [["htmx:beforeRequest", "true"], ["htmx:afterRequest", "false"]]) {
  document.addEventListener(moment, ({ detail }) => detail.requestConfig.elt.rel === "next" && $("#list")?.setAttribute("aria-busy", busy));
}

// ---- What is new: asked for every 15 s while somebody looks, and at once when they look again

const title = document.title;
function checkForNew() {
  if (document.visibilityState !== "visible" || !$("#unread")) return;
  if ($("#pill")) htmx.trigger("#pill", "check");
  else htmx.ajax("GET", "/feed/new", { source: "#unread", target: "#unread", swap: "none" });
}
document.addEventListener("unread", ({ detail: { value } }) => {
  const words = value > 99 ? "99+" : String(value || "");
  $("#unread").textContent = words;
  document.title = words ? `(${words}) ${title}` : title;
});
document.addEventListener("visibilitychange", checkForNew);
setInterval(checkForNew, 15000);
if ($("#unread") && !$("#pill")) addEventListener("load", checkForNew);

document.addEventListener("htmx:beforeSwap", ({ target, detail }) => {
  if (target.id !== "pill") return;
  if (detail.xhr.status === 204) target.replaceChildren(); // what was counted is gone again
  // To say the same again would be announced again.
  if (detail.serverResponse.trim() === target.innerHTML.trim()) detail.shouldSwap = false;
});

// ---- New posts appear above what is read, which stays where it is, also in browsers that do not see to that themselves

const topOf = (element) => element.getBoundingClientRect().top;
let place = null;

document.addEventListener("htmx:beforeSwap", ({ detail: { requestConfig: { elt } } }) => {
  if (!elt.matches(".pill")) return;
  const read = topOf($("#list")) < 60 && $$("[data-entry]").find((post) => topOf(post) >= 60);
  place = { read, top: read && topOf(read), byKeyboard: elt.matches(":focus-visible") };
});
document.addEventListener("htmx:afterRequest", ({ detail: { requestConfig: { elt }, successful } }) => {
  if (elt.matches(".pill") && successful) {
    if (place.read) scrollBy({ top: topOf(place.read) - place.top, behavior: "instant" });
    if (place.byKeyboard) $("[data-entry]")?.focus({ preventScroll: true });
  }
  const line = $(".left-off"); // it says so on top of the feed only
  if (line && $("[data-entry]") !== line.parentElement) line.textContent = "You’ve seen everything below";
});

// ---- Back leads to where one was in a list, not to its top; whoever came from elsewhere follows the link

document.addEventListener("click", (event) => {
  const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey;
  if (!isPlain || !event.target.closest("[data-back]") || !document.referrer.startsWith(`${location.origin}/`)) return;
  event.preventDefault();
  history.back();
});

// ---- Times in full are those of the reader's clock

const inFull = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short" });
const localise = (within) => $$("time[title], time.moment", within).forEach((time) => {
  const words = inFull.format(new Date(time.dateTime));
  if (time.title) time.title = words;
  else time.textContent = words;
});
document.addEventListener("htmx:load", ({ target }) => localise(target));
localise(document);

// ---- A link for a new tab or window opens one, whatever else it does when it is just clicked

document.addEventListener("click", (event) => {
  if ((event.ctrlKey || event.metaKey || event.shiftKey) && event.target.closest("a[hx-get]")) event.stopPropagation();
}, true);

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
  o: () => document.activeElement?.closest("[data-entry]")?.querySelector(".post-time").click(),
  l: () => document.activeElement?.closest("[data-entry]")?.querySelector("button.action-like")?.click(),
  b: () => document.activeElement?.closest("[data-entry]")?.querySelector("button.action-bookmark")?.click(),
  r: () => (document.activeElement?.closest("[data-entry]") || $("[data-permalink]"))?.querySelector(".action-reply")?.click(),
  t: () => document.activeElement?.closest("[data-entry]")?.querySelector(".action-repost")?.click(),
  q: () => {
    const post = document.activeElement?.closest("[data-entry]");
    if (post?.querySelector("button.action-repost")) location.assign(`/compose?quote_of=${post.dataset.post}`);
  },
  x: () => {
    const fold = document.activeElement?.closest("[data-entry]")?.querySelector(".post-fold");
    if (fold) fold.open = !fold.open;
  },
  "/": () => ($("#q") ? $("#q").select() : location.assign("/search")),
  g: () => { waitsForPlace = true; setTimeout(() => (waitsForPlace = false), 1000); },
  "?": () => $("#keys").showModal(),
};
const PLACES = { h: "/", e: "/explore", b: "/bookmarks" };

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    const menu = $("details.menu[open]");
    return menu && !event.target.closest("dialog") && close(menu);
  }
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.matches("#compose, #warning")) return event.target.form.requestSubmit();
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  if (event.key === "Enter" && event.target.matches("[data-entry]")) return $(".post-time", event.target).click();
  const run = waitsForPlace && PLACES[event.key] ? () => location.assign(PLACES[event.key]) : KEYS[event.key];
  if (!run) return;
  event.preventDefault();
  run();
});
