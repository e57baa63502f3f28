// After an answer: its menu closes, the focus stays where it was, and what a menu leads to is shown in a dialog
// over the page, so that nobody loses their place in it.

import { $ } from "./dom.js";
import { close } from "./menus.js";

document.addEventListener("htmx:afterRequest", ({ target, detail }) => {
  const menu = target.closest?.("details.menu");
  if (menu) close(menu); // first, because the dialog gives the focus back to what has it now
  keepFocusBeside(detail.target);
  if (detail.successful && !detail.xhr.getResponseHeader("HX-Redirect")) showOrClose(target, detail.target);
});

// What was pressed is no longer there: stay beside it, for readers who use the keyboard.
function keepFocusBeside(swapped) {
  if (document.activeElement !== document.body) return;
  if (swapped.matches(".relation")) $(`#${swapped.id} summary`)?.focus();
  if (swapped.matches(".post-actions")) $(`#${swapped.id} .action-repost`)?.focus();
  if (swapped.matches(".request")) ($(".request button") || $("#main")).focus(); // on to the next one
}

function showOrClose(asking, swapped) {
  if (asking.closest?.("#writing") || swapped.closest?.("#writing")) return; // writing.js sees to it
  const around = asking.closest?.("dialog");
  if (around) around.close();
  else swapped.closest?.("dialog")?.showModal();
}

document.addEventListener("click", (event) => {
  if (!event.target.closest("#sheet [data-close]")) return;
  event.preventDefault();
  $("#sheet").close();
});
