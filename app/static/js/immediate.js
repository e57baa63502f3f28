// Follows, of people and tags, show at once: the button says what it will be (`data-then`). The server's answer takes its
// place; if it fails, it goes back, and toasts.js says why. Likes, bookmarks and reposts: reactions.js.

import { $ } from "./dom.js";
import { close } from "./menus.js";

const underway = new Map(); // form -> the buttons that it changed, as they were, and whether it was pressed again

function turn(button) {
  const { then, thenLabel } = button.dataset;
  button.lastChild.textContent = then;
  if (thenLabel) button.setAttribute("aria-label", thenLabel);
  for (const look of ["button-on", "button-primary"]) if (button.matches(".button")) button.classList.toggle(look);
}

// Only what was changed: the form itself must go on hearing its events.
function putBack([button, was]) {
  button.replaceChildren(...was.cloneNode(true).childNodes);
  button.className = was.className;
  if (was.hasAttribute("aria-label")) button.setAttribute("aria-label", was.getAttribute("aria-label"));
}

// What a menu does to how one stands to a person shows in the page, too, where that is.
const alsoShown = (form) => $(`.relation form[action="${form.getAttribute("action")}"] > .button[data-then]`);

document.addEventListener("htmx:beforeSend", ({ detail: { elt } }) => {
  if (!elt.matches?.("form")) return;
  const menu = elt.closest("details.menu"), pressed = $("button[data-then]", elt);
  if (pressed) {
    const buttons = [pressed, menu && alsoShown(elt)].filter(Boolean);
    underway.set(elt, { changed: buttons.map((button) => [button, button.cloneNode(true)]), again: false });
    buttons.forEach(turn);
  }
  if (menu) close(menu);
});

// Pressed again before there is an answer: shown now, and sent from what takes this button's place.
document.addEventListener("submit", (event) => {
  const under = underway.get(event.target);
  if (!under) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  under.again = !under.again;
  under.changed.forEach((change) => (under.again ? putBack(change) : turn(change[0])));
}, true);

document.addEventListener("htmx:afterRequest", ({ detail: { requestConfig: { elt }, successful } }) => {
  const under = underway.get(elt);
  if (!under) return;
  underway.delete(elt);
  if (!successful) under.changed.forEach(putBack);
  else if (under.again) document.getElementById(under.changed[0][0].id)?.form.requestSubmit();
});
