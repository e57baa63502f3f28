// After an answer: its menu closes, the focus stays where it was, and what a menu leads to is shown in a dialog
// over the page, so that nobody loses their place in it.

import { $ } from "./dom.js";
import { close } from "./menus.js";
import { lines, whenSlow } from "./slow.js";

document.addEventListener("htmx:afterRequest", ({ target, detail }) => {
  const menu = target.closest?.("details.menu");
  if (menu && !target.matches(".menu-rest")) close(menu); // first, because the dialog gives the focus back to what has it now
  keepFocusBeside(detail.target);
  const isWanted = stopWaiting(detail);
  const isRefused = detail.xhr.status === 422; // the form is there again, with what is wrong
  if (detail.successful && isWanted && !isRefused && !detail.xhr.getResponseHeader("HX-Redirect")) showOrClose(target, detail.target);
});

// ---- A dialog that takes a while opens before its words are there; closed meanwhile, it stays closed

const waiting = new WeakMap(); // request -> what ends it

document.addEventListener("htmx:beforeSend", ({ detail: { target: words, xhr } }) => {
  const dialog = words.closest?.("#why, #sheet");
  if (!dialog || dialog.open) return;
  let isOpened = false;
  const forget = whenSlow(() => {
    isOpened = true;
    words.replaceChildren(lines());
    dialog.showModal();
  });
  waiting.set(xhr, (successful) => {
    forget();
    const isClosed = isOpened && !dialog.open;
    if (isOpened && !successful) dialog.close();
    return !isClosed;
  });
});

// Return whether the answer is still wanted.
const stopWaiting = ({ xhr, successful }) => waiting.get(xhr)?.(successful) ?? true;

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
  else if (!swapped.closest?.("dialog[open]")) swapped.closest?.("dialog")?.showModal();
}

document.addEventListener("click", (event) => {
  if (!event.target.closest("#sheet [data-close]")) return;
  event.preventDefault();
  $("#sheet").close();
});
