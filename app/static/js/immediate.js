// Likes, bookmarks, reposts and follows show at once, before the server has answered. Its answer takes their place; if it
// fails, they go back, and toasts.js says why.

import { $ } from "./dom.js";

const goBack = new WeakMap(); // request -> how

// ---- Below a post

function count(action, by) {
  const number = $(".action-number", action), now = number ? number.textContent : "0";
  if (!/^\d+$/.test(now)) return; // 1.2K stays 1.2K
  const next = Number(now) + by;
  if (number) number.textContent = next || "";
  else action.insertAdjacentHTML("beforeend", `<span class="action-number" aria-hidden="true">${next}</span>`);
}

function press(button) {
  const isOn = button.getAttribute("aria-pressed") === "true";
  button.setAttribute("aria-pressed", String(!isOn));
  if (button.matches(".action-like")) count(button, isOn ? -1 : 1);
}

function repost(action) {
  count(action, action.classList.toggle("is-on") ? 1 : -1);
  action.parentElement.open = false;
  action.focus();
}

// ---- People

function follow(button) {
  const follows = button.classList.contains("button-on");
  button.classList.toggle("button-on", !follows);
  button.classList.toggle("button-primary", follows);
  button.textContent = follows ? "Follow" : /Ask/.test(button.textContent) ? "Requested" : "Following";
}

function act(form) {
  const pressed = $(".action[aria-pressed]", form), menu = form.closest(".repost-menu");
  const button = form.closest(".relation") && $("[id^=follow-]", form);
  if (pressed) press(pressed);
  else if (menu) repost($(".action-repost", menu));
  else if (button) follow(button);
  else return null;
  return pressed ?? (menu ? $(".action-repost", menu) : button);
}

document.addEventListener("htmx:beforeSend", ({ detail: { elt, xhr } }) => {
  if (!elt.matches?.("form")) return;
  const shown = elt.closest(".repost-menu") ?? elt, before = shown.cloneNode(true);
  const changed = act(elt);
  if (changed) goBack.set(xhr, () => putBack(changed, before));
});

// Only what was changed: the form itself must go on hearing its events.
function putBack(changed, before) {
  const was = $(`#${changed.id}`, before);
  changed.replaceChildren(...was.childNodes);
  changed.className = was.className;
  if (was.hasAttribute("aria-pressed")) changed.setAttribute("aria-pressed", was.getAttribute("aria-pressed"));
}
for (const failure of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(failure, ({ detail: { xhr } }) => goBack.get(xhr)?.());
}
