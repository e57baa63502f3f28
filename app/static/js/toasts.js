// Toasts: one sentence, from the server or about the connection.

import { to } from "./addresses.js";
import { $, $$ } from "./dom.js";
import { attempt } from "./storage.js";

const HOW_LONG = 6000, HOW_LONG_TO_UNDO = 10000;

let last = null;

// One sentence; where there is something to `view`, the way there; how to `undo` it; a `way` back to what has failed.
export function toast(sentence, { view, undo, way } = {}) {
  last = { sentence, view, undo };
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

let undoing = null;

export function button(words, act) {
  const element = Object.assign(document.createElement("button"), { type: "button", className: "link-button", textContent: words });
  element.addEventListener("click", act);
  return element;
}

function undoButton(element, undo) {
  const { path, into, swap = "outerHTML", fields, shown } = undo;
  const takesBack = button("Undo", () => {
    element.remove();
    undoing = undo;
    document.dispatchEvent(new CustomEvent("undo", { detail: undo }));
    const target = into && $(into);
    const place = target ? { target, swap, values: { ...fields, ...shown } } : { target: "#toasts", swap: "none", values: fields };
    htmx.ajax("POST", path, place).catch(() => {}); // a toast says why
  });
  takesBack.dataset.undo = "";
  return takesBack;
}

const isUndoing = ({ pathInfo }) => Boolean(undoing) && pathInfo.requestPath === undoing.path;

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!isUndoing(detail)) return;
  if (detail.xhr.status !== 200) document.dispatchEvent(new CustomEvent("undo-failed", { detail: undoing }));
  if (detail.xhr.status) undoing = null; // else it is offered again, by what follows
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

function complain(detail, sentence) {
  if (!wasAskedFor(detail)) return;
  const { status } = detail.xhr, mayWorkLater = !status || status === 429 || status >= 500;
  const undo = isUndoing(detail) && mayWorkLater ? undoing : undefined;
  toast(sentence, { undo, way: ways.map((wayFrom) => wayFrom(detail)).find(Boolean) });
}

const sayWhyNot = ({ detail }) => complain(detail, whyNot(detail.xhr));

document.addEventListener("toast", ({ detail }) => toast(detail.value ?? detail.sentence, detail));
document.addEventListener("htmx:responseError", sayWhyNot);
document.addEventListener("htmx:sendError", sayWhyNot);
document.addEventListener("htmx:timeout", ({ detail }) => complain(detail, "That took too long. Nothing was lost; try again."));

// ---- What the page before has left: how to undo it, for as long as a toast would, or a sentence that it had no time to say

$$(".notice-undo").forEach((form) => leaveAfter(form, HOW_LONG_TO_UNDO));

const LEFT = "toast-left";
const left = attempt(() => JSON.parse(sessionStorage.getItem(LEFT)));
attempt(() => sessionStorage.removeItem(LEFT));
if (left) toast(left.sentence, left);

// Have the next page say what this one has just said.
export const leaveToast = () => attempt(() => last && sessionStorage.setItem(LEFT, JSON.stringify(last)));
