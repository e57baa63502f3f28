// Menus: filled when opened, so that they are never stale; closed by Escape, a click elsewhere, or a choice.

import { to } from "./addresses.js";
import { $, $$, topOf } from "./dom.js";
import { toast } from "./toasts.js";

let dismissal = null; // the last click that found a menu open

// Whether a click closes a menu, or has just done so: then it is for nothing else.
export const isForMenus = (click) => click === dismissal || Boolean($("details.menu[open]"));

export function close(menu) {
  if (menu.contains(document.activeElement)) $("summary", menu).focus();
  menu.open = false;
}

const isSending = (menu) => Boolean($(".menu-items .htmx-request", menu));

async function fill(menu) {
  const items = $(".menu-items", menu), plain = items.innerHTML;
  if (isSending(menu)) return; // it shows what was chosen
  const post = menu.closest("[data-author]"); // a source of its own: behind another request of the same one this would wait, unawaited
  await htmx.ajax("GET", menu.dataset.menu, { source: post, target: items, swap: "innerHTML" });
  if (!menu.open) return (items.innerHTML = plain);
  const empty = () => menu.open || isSending(menu) || (items.innerHTML = plain);
  menu.addEventListener("toggle", () => {
    // What is under way is not taken away: nobody would hear of its answer, or that there is none.
    if (isSending(menu)) items.addEventListener("htmx:afterRequest", () => queueMicrotask(empty), { once: true });
    else empty();
  }, { once: true });
  keepInSight(menu);
  const relation = $(`#relation-${post.dataset.author}`); // on a profile it changes, too
  if (relation) $$(`form[action^='${to.profiles}']`, menu).forEach((form) => showIn(relation, form));
}

function showIn(relation, form) { // the answer to what was chosen, where the page shows how one stands to a person
  form.setAttribute("hx-target", `#${relation.id}`);
  form.setAttribute("hx-swap", "outerHTML");
  const says = Object.assign(document.createElement("input"), { type: "hidden", name: "relation", value: "shown" });
  form.append(says);
}

function keepInSight(menu) { // above its button, where there is no room below
  menu.classList.remove("menu-up");
  const items = $(".menu-items", menu).getBoundingClientRect(), tabs = $(".tabs");
  const floor = tabs && getComputedStyle(tabs).position === "fixed" ? topOf(tabs) : innerHeight;
  if (items.bottom > floor) menu.classList.toggle("menu-up", topOf(menu) - items.height > 60);
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
document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && $$("details.menu[open]").find((each) => each.closest("dialog") === event.target.closest("dialog"));
  if (!menu) return;
  close(menu);
  if (menu.closest("dialog")) event.preventDefault(); // the dialog stays
});
document.addEventListener("keyup", ({ key, target }) => { // where Tab has led out of a menu
  if (key === "Tab" && !target.closest("dialog")) $$("details.menu[open]").forEach((menu) => (menu.open = menu.contains(target)));
});
