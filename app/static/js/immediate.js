// Follows show at once, before the server has answered. Its answer takes their place; if it fails, they go back, and
// toasts.js says why. Likes, bookmarks and reposts: reactions.js.

import { $ } from "./dom.js";

const goBack = new WeakMap(); // request -> how

function follow(button) {
  const follows = button.classList.contains("button-on");
  button.classList.toggle("button-on", !follows);
  button.classList.toggle("button-primary", follows);
  button.textContent = follows ? "Follow" : /Ask/.test(button.textContent) ? "Requested" : "Following";
}

document.addEventListener("htmx:beforeSend", ({ detail: { elt, xhr } }) => {
  const button = elt.matches?.(".relation form") && $("[id^=follow-]", elt);
  if (!button) return;
  const before = button.cloneNode(true);
  follow(button);
  goBack.set(xhr, () => putBack(button, before));
});

// Only what was changed: the form itself must go on hearing its events.
function putBack(changed, was) {
  changed.replaceChildren(...was.childNodes);
  changed.className = was.className;
}
for (const failure of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(failure, ({ detail: { xhr } }) => goBack.get(xhr)?.());
}
