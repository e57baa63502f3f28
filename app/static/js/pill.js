// What is new: a number at the tab, a pill above the feed, and the posts themselves where it is pressed.

import { to } from "./addresses.js";
import { $, $$, topOf } from "./dom.js";

// ---- Asked for every 15 s while the reader looks, and at once when they look again

const title = document.title;
function checkForNew() {
  if (document.visibilityState !== "visible" || !$("#unread")) return;
  if ($("#pill")) htmx.trigger("#pill", "check");
  else htmx.ajax("GET", to.newPosts, { source: "#unread", target: "#unread", swap: "none" });
}
document.addEventListener("unread", ({ detail: { value } }) => {
  const words = value > 99 ? "99+" : String(value || "");
  $("#unread").textContent = words;
  document.title = words ? `(${words}) ${title}` : title;
});
document.addEventListener("visibilitychange", checkForNew);
setInterval(checkForNew, 15000);
if ($("#unread") && !$("#pill")) addEventListener("load", checkForNew);

document.addEventListener("htmx:beforeSwap", ({ target, detail }) => {
  if (target.id !== "pill") return;
  if (detail.xhr.status === 204) target.replaceChildren(); // what was counted is gone again
  // To say the same again would be announced again.
  if (detail.serverResponse.trim() === target.innerHTML.trim()) detail.shouldSwap = false;
});

// ---- New posts appear above what is read, which stays where it is, also in browsers that do not see to that themselves

let place = null;

document.addEventListener("htmx:beforeSwap", ({ detail: { requestConfig: { elt } } }) => {
  if (!elt.matches(".pill")) return;
  const read = topOf($("#list")) < 60 && $$("[data-entry]").find((post) => topOf(post) >= 60);
  place = { read, top: read && topOf(read), byKeyboard: elt.matches(":focus-visible") };
});
document.addEventListener("htmx:afterRequest", ({ detail: { requestConfig: { elt }, successful } }) => {
  if (elt.matches(".pill") && successful) {
    if (place.read) scrollBy({ top: topOf(place.read) - place.top, behavior: "instant" });
    if (place.byKeyboard) $("[data-entry]")?.focus({ preventScroll: true });
  }
  const line = $(".left-off"); // it says so on top of the feed only
  if (line && $("[data-entry]") !== line.parentElement) line.textContent = "You’ve seen everything below";
});
