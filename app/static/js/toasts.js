// Toasts: one sentence, from the server or about the connection.

import { to } from "./addresses.js";
import { $ } from "./dom.js";

const HOW_LONG = 6000, HOW_LONG_TO_UNDO = 10000;

// One sentence; where there is something to `view`, the way there; and how to `undo` it.
export function toast(sentence, { view, undo } = {}) {
  const element = document.createElement("p");
  element.className = "toast";
  element.textContent = sentence;
  if (view) element.append(" · ", Object.assign(document.createElement("a"), { href: view, textContent: "View" }));
  if (undo) element.append(" · ", undoButton(element, undo));
  const dialog = $("dialog[open]"), toasts = $("#toasts");
  if (dialog && !dialog.contains(toasts)) { // whatever is outside of it is behind it, and not read out
    dialog.append(toasts);
    dialog.addEventListener("close", () => document.body.append(toasts), { once: true });
  }
  if (dialog) element.setAttribute("role", "alert");
  toasts.replaceChildren(element); // the last one is what counts: an error must not outlive what made up for it
  leaveAfter(element, undo ? HOW_LONG_TO_UNDO : HOW_LONG);
}

// Not from under a hand or a keyboard that is about to use it.
function leaveAfter(element, time) {
  setTimeout(() => (element.matches(":hover, :focus-within") ? leaveAfter(element, 2000) : element.remove()), time);
}

// ---- What was just done is taken back; removal.js brings back what had left the page

let undoing = null; // the address

function undoButton(element, { path, into, fields }) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "link-button", textContent: "Undo" });
  button.addEventListener("click", () => {
    element.remove();
    undoing = path;
    document.dispatchEvent(new Event("undo"));
    const target = into && $(into);
    htmx.ajax("POST", path, { target: target || "#toasts", swap: target ? "outerHTML" : "none", values: fields }).catch(() => {}); // a toast says why
  });
  return button;
}

document.addEventListener("htmx:afterRequest", ({ detail: { pathInfo, xhr } }) => {
  if (!undoing || pathInfo.requestPath !== undoing) return;
  undoing = null;
  if (xhr.status === 200) document.dispatchEvent(new Event("undone"));
});

// What the page asks by itself, every few seconds, fails in silence: nobody waits for it.
function wasAskedFor({ pathInfo: { requestPath } }) {
  return !requestPath.startsWith(to.newPosts) || requestPath.startsWith(`${to.newPosts}?show`);
}

document.addEventListener("toast", ({ detail }) => toast(detail.value ?? detail.sentence, detail));
document.addEventListener("htmx:responseError", ({ detail }) => {
  if (!wasAskedFor(detail)) return;
  const xhr = detail.xhr, plain = (xhr.getResponseHeader("Content-Type") || "").startsWith("text/plain");
  toast(plain ? xhr.responseText : "That didn’t work. Please try again.");
});
document.addEventListener("htmx:sendError", ({ detail }) => wasAskedFor(detail) && toast("No connection. Nothing was lost; try again in a moment."));
document.addEventListener("htmx:timeout", ({ detail }) => wasAskedFor(detail) && toast("That took too long. Nothing was lost; try again."));
