// The page of a post.

import { $, isForNewTab } from "./dom.js";

const post = $("[data-permalink] .post");

// ---- A reader who opens a post sees that post; what it answers is above, as far as one likes to scroll

if (post && $(".thread-above") && !location.hash && performance.getEntriesByType("navigation")[0]?.type === "navigate") {
  post.scrollIntoView({ block: "start", behavior: "instant" });
}

// ---- The reply button of the post leads to the field below it

document.addEventListener("click", (event) => {
  if (isForNewTab(event) || !event.target.closest("[data-permalink] .action-reply")) return;
  const field = $("#compose");
  if (!field) return;
  event.preventDefault();
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length); // behind the handles of those who are addressed
});
