// Toasts: one sentence, from the server or about the connection.

import { to } from "./addresses.js";
import { $ } from "./dom.js";

const HOW_LONG = 6000, HOW_LONG_TO_UNDO = 10000;

// One sentence; where there is something to `view`, the way there; how to `undo` it; a `way` back to what has failed.
export function toast(sentence, { view, undo, way } = {}) {
  const element = document.createElement("p");
  element.className = "toast";
  element.textContent = sentence;
  if (view) element.append(" · ", Object.assign(document.createElement("a"), { href: view, textContent: "View" }));
  if (undo) element.append(" · ", undoButton(element, undo));
  if (way) element.append(" · ", button(way.words, () => { element.remove(); way.go(); }));
  const dialog = $("dialog[open]"), toasts = $("#toasts");
  if (dialog && !dialog.contains(toasts)) { // whatever is outside of it is behind it, and not read out
    dialog.append(toasts);
    dialog.addEventListener("close", () => document.body.append(toasts), { once: true });
  }
  if (dialog) element.setAttribute("role", "alert");
  toasts.replaceChildren(element); // the last one is what counts: an error must not outlive what made up for it
  leaveAfter(element, undo || way ? HOW_LONG_TO_UNDO : HOW_LONG);
}

// Not from under a hand or a keyboard that is about to use it.
function leaveAfter(element, time) {
  setTimeout(() => (element.matches(":hover, :focus-within") ? leaveAfter(element, 2000) : element.remove()), time);
}

// ---- What was just done is taken back; removal.js brings back what had left the page

let undoing = null; // the address

export function button(words, act) {
  const element = Object.assign(document.createElement("button"), { type: "button", className: "link-button", textContent: words });
  element.addEventListener("click", act);
  return element;
}

function undoButton(element, { path, into, fields }) {
  return button("Undo", () => {
    element.remove();
    undoing = path;
    document.dispatchEvent(new Event("undo"));
    const target = into && $(into);
    htmx.ajax("POST", path, { target: target || "#toasts", swap: target ? "outerHTML" : "none", values: fields }).catch(() => {}); // a toast says why
  });
}

document.addEventListener("htmx:afterRequest", ({ detail: { pathInfo, xhr } }) => {
  if (!undoing || pathInfo.requestPath !== undoing) return;
  undoing = null;
  if (xhr.status === 200) document.dispatchEvent(new Event("undone"));
});

// ---- What has failed

// What the page asks by itself, every few seconds, fails in silence: nobody waits for it. A form that does not come says
// so where it should be.
function wasAskedFor({ pathInfo: { requestPath }, requestConfig: { elt } }) {
  if (requestPath.startsWith(to.actions) || elt.matches("[data-waits]")) return false;
  return !requestPath.startsWith(to.newPosts) || requestPath.startsWith(`${to.newPosts}?show`);
}

const ways = [];

// Offer the way back to what has failed: `wayFrom(detail)` returns `{ words, go }`, or nothing.
export const offerWay = (wayFrom) => ways.push(wayFrom);

export function whyNot(xhr) {
  if (!xhr.status) return "No connection. Nothing was lost; try again in a moment.";
  const isPlain = (xhr.getResponseHeader("Content-Type") || "").startsWith("text/plain");
  return isPlain ? xhr.responseText : "That didn’t work. Please try again.";
}

function sayWhyNot({ detail }) {
  if (wasAskedFor(detail)) toast(whyNot(detail.xhr), { way: ways.map((wayFrom) => wayFrom(detail)).find(Boolean) });
}

document.addEventListener("toast", ({ detail }) => toast(detail.value ?? detail.sentence, detail));
document.addEventListener("htmx:responseError", sayWhyNot);
document.addEventListener("htmx:sendError", sayWhyNot);
document.addEventListener("htmx:timeout", () => toast("That took too long. Nothing was lost; try again."));
