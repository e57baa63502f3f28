// Back closes what lies over the page, rather than to leave it: the history has one more entry for each open dialog.

import { $$ } from "./dom.js";
import { remember } from "./place.js";

const shown = []; // the last one on top
const waiting = [];
let restoration = history.scrollRestoration;
let isGoing = false; // back, by an entry that is not needed any more

const over = () => history.state?.over ?? 0;

function agree() {
  if (isGoing) return;
  if (shown.length > over()) {
    if (!over()) {
      remember();
      restoration = history.scrollRestoration;
    }
    history.scrollRestoration = "manual"; // the page does not move below a dialog, and may have grown
    while (shown.length > over()) history.pushState({ ...history.state, over: over() + 1 }, "");
  } else if (shown.length < over()) {
    isGoing = true;
    history.go(shown.length - over());
  } else {
    if (!shown.length) history.scrollRestoration = restoration;
    waiting.splice(0).forEach((goOn) => goOn());
  }
}

// Return a promise for when the history is that of the page again: who leaves it before would not get away.
export const whenBack = () => new Promise((goOn) => { waiting.push(goOn); agree(); });

const observer = new MutationObserver((records) => {
  for (const { target: dialog } of records) {
    const at = shown.indexOf(dialog);
    if (dialog.open && at < 0) shown.push(dialog);
    else if (!dialog.open && at >= 0) shown.splice(at, 1);
  }
  agree();
});
$$("dialog").forEach((dialog) => observer.observe(dialog, { attributeFilter: ["open"] }));

addEventListener("popstate", () => {
  if (!isGoing) shown.slice(over()).reverse().forEach((dialog) => dialog.close());
  isGoing = false;
  if (shown.length === shown.filter(({ open }) => open).length) agree(); // else the observer does
});
addEventListener("pageshow", ({ persisted }) => persisted && shown.forEach((dialog) => dialog.close()));
agree(); // the page may have been reloaded, or come back to, where a dialog was open
