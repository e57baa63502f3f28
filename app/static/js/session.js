// Logged out under an open page: after a log-in in another tab, it goes on with the new session's token.

import { to } from "./addresses.js";
import { $, $$ } from "./dom.js";
import { toast } from "./toasts.js";

let loggedOut = false;

// Return whether the page may go on in the name that it was opened in.
export async function renewToken() {
  const response = await fetch(to.logIn); // a viewer who is logged in is sent home from there
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const { account } = document.body.dataset, now = page.body.dataset.account || account;
  if (now !== account) { // nobody speaks in another's name because of a page that was left open
    toast(`You’re now logged in as @${now}. Log in as @${account} to send this.`);
    return false;
  }
  document.body.setAttribute("hx-headers", page.body.getAttribute("hx-headers"));
  $$("[name=csrf_token]").forEach((field) => (field.value = $("[name=csrf_token]", page).value));
  loggedOut = false;
  return true;
}

document.addEventListener("htmx:responseError", ({ detail: { xhr } }) => { loggedOut ||= xhr.status === 401; });
document.addEventListener("htmx:confirm", (event) => {
  const { question, issueRequest } = event.detail;
  if (!loggedOut || question) return; // forms.js holds what is asked about
  event.preventDefault();
  renewToken().catch(() => true).then((goOn) => (goOn ? issueRequest(true) : event.detail.elt.dispatchEvent(new Event("not-sent"))));
});
