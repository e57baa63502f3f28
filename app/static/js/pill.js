// What is new: a number at the tab, a pill above the feed, and the posts themselves where it is pressed.

import { to } from "./addresses.js";
import { $, $$, isForNewTab } from "./dom.js";
import { BAR, hold } from "./hold.js";
import { isReturn, leave } from "./place.js";
import { attempt } from "./storage.js";

// ---- Asked for every 15 s while the reader looks, and at once when they look again

const title = document.title;
const sent = new Set(); // written on this page: where it has a place there, it is no news to it
document.addEventListener("htmx:afterRequest", ({ detail: { requestConfig: { elt }, xhr, successful } }) => {
  const card = successful && elt.matches("form.composer") && /data-entry="(\d+)"/.exec(xhr.responseText);
  if (card) sent.add(card[1]);
});
document.addEventListener("htmx:configRequest", ({ detail: { path, parameters } }) => {
  const shown = [...sent].filter((id) => $(`[data-entry="${id}"]`));
  if (path.startsWith(to.newPosts) && shown.length) parameters.sent = shown.slice(-100).join();
});

function checkForNew() {
  if (document.visibilityState !== "visible" || !$("#unread")) return;
  if ($("#pill")) htmx.trigger("#pill", "check");
  else htmx.ajax("GET", to.newPosts, { source: "#unread", target: "#unread", swap: "none" }).catch(() => {}); // nobody waits for it
}
document.addEventListener("unread", ({ detail: { value } }) => {
  const words = value > 99 ? "99+" : String(value || "");
  $("#unread").textContent = words;
  document.title = words ? `(${words}) ${title}` : title;
  if (value) noLongerCaughtUp();
});
document.addEventListener("visibilitychange", checkForNew);
setInterval(checkForNew, 15000);
if ($("#unread") && (isReturn || !$("#pill"))) addEventListener("load", checkForNew);

document.addEventListener("htmx:beforeSwap", ({ target, detail }) => {
  if (target.id !== "pill") return;
  if (detail.xhr.status === 204) target.replaceChildren(); // what was counted is gone again
  // To say the same again would be announced again.
  if (detail.serverResponse.trim() === target.innerHTML.trim()) detail.shouldSwap = false;
});

// ---- A click brings the new posts in and leads to the oldest of them, or to the top; what was read is one click away

let goBack = null, known = new Set(), isByKeyboard = false;

document.addEventListener("htmx:beforeSwap", ({ detail: { requestConfig: { elt } } }) => {
  if (!elt.matches("#pill-link")) return;
  goBack = hold();
  known = new Set($$("[data-entry]").map(({ dataset }) => dataset.entry));
  isByKeyboard = elt.matches(":focus-visible");
});
document.addEventListener("htmx:afterRequest", ({ detail: { requestConfig: { elt }, successful } }) => {
  if (elt.matches("#pill-link") && successful) showNew();
  const line = $(".left-off"); // it says so on top of the feed only
  if (line && !line.parentElement.contains($("[data-entry]"))) noLongerCaughtUp();
});

function noLongerCaughtUp() {
  const line = $(".left-off");
  if (line) line.textContent = "You left off here";
}

function showNew() {
  goBack(); // whatever the browser has done, what was read is in its place: from there we go
  const arrived = $$("[data-entry]").filter(({ dataset }) => !known.has(dataset.entry));
  if (!arrived.length) return;
  const isTop = $("#pill").dataset.leads === "top", first = isTop ? arrived[0] : beginningOf(arrived);
  const { top, bottom } = first.getBoundingClientRect();
  if (isTop) scrollTo({ top: 0, behavior: "instant" });
  else if (scrollY + bottom < innerHeight - BAR) scrollTo({ top: 0, behavior: "instant" }); // all of them fit
  else if (top < BAR || bottom > innerHeight - BAR) first.scrollIntoView({ block: "center", behavior: "instant" });
  if (isByKeyboard) first.focus({ preventScroll: true });
  if (!goBack.isThere()) offerWayBack(goBack);
}

// Of a conversation that has come last, the post with which it begins: below it nothing is new.
function beginningOf(arrived) {
  const talk = arrived.at(-1).closest(".talk");
  return talk ? arrived.find((post) => talk.contains(post)) : arrived.at(-1);
}

let isBack = () => false; // whether the reader has come back by themselves
addEventListener("scroll", () => isBack() && endWayBack(), { passive: true });

function endWayBack() {
  isBack = () => false;
  $("#pill-back")?.remove();
}

function offerWayBack(leadBack) {
  endWayBack();
  const place = document.createElement("div"), button = document.createElement("button");
  Object.assign(place, { id: "pill-back", className: "pill-place pill-back-place" });
  Object.assign(button, { type: "button", className: "pill pill-back", textContent: "Back to where you were" });
  button.addEventListener("click", () => { endWayBack(); leadBack(); });
  place.append(button);
  $("#pill").after(place);
  isBack = leadBack.isThere;
}

// ---- More than fit into the page are a page of their own: the way back from there is that of the browser

const AWAY = "new-posts"; // kept while that page is on its way
const noteAway = () => attempt(() => sessionStorage.setItem(AWAY, "on"));
document.addEventListener("click", (event) => {
  if (event.target.closest("#pill-link:not([hx-get])") && !isForNewTab(event)) noteAway();
});
document.addEventListener("htmx:beforeOnLoad", ({ detail: { requestConfig: { elt }, xhr } }) => {
  if (!elt.matches("#pill-link") || !xhr.getResponseHeader("HX-Redirect")) return;
  leave(); // as a click on a link would
  noteAway();
});
if ($("#pill") && !isReturn && attempt(() => sessionStorage.getItem(AWAY))) {
  const isFurther = () => scrollY > innerHeight;
  offerWayBack(Object.assign(() => history.back(), { isThere: isFurther }));
}
attempt(() => sessionStorage.removeItem(AWAY));
