// Toasts: one sentence, from the server or about the connection.

import { to } from "./addresses.js";
import { $ } from "./dom.js";

export function toast(sentence) {
  const element = document.createElement("p");
  element.className = "toast";
  element.textContent = sentence;
  const dialog = $("dialog[open]"), toasts = $("#toasts");
  if (dialog && !dialog.contains(toasts)) { // whatever is outside of it is behind it, and not read out
    dialog.append(toasts);
    dialog.addEventListener("close", () => document.body.append(toasts), { once: true });
  }
  if (dialog) element.setAttribute("role", "alert");
  toasts.replaceChildren(element); // the last one is what counts: an error must not outlive what made up for it
  setTimeout(() => element.remove(), 6000);
}

// What the page asks by itself, every few seconds, fails in silence: nobody waits for it.
function wasAskedFor({ pathInfo: { requestPath } }) {
  return !requestPath.startsWith(to.newPosts) || requestPath.startsWith(`${to.newPosts}?show`);
}

document.addEventListener("toast", (event) => toast(event.detail.value));
document.addEventListener("htmx:responseError", ({ detail }) => {
  if (!wasAskedFor(detail)) return;
  const xhr = detail.xhr, plain = (xhr.getResponseHeader("Content-Type") || "").startsWith("text/plain");
  toast(plain ? xhr.responseText : "That didn’t work. Please try again.");
});
document.addEventListener("htmx:sendError", ({ detail }) => wasAskedFor(detail) && toast("No connection. Nothing was lost; try again in a moment."));
document.addEventListener("htmx:timeout", () => toast("That took too long. Nothing was lost; try again."));
