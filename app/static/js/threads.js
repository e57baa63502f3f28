// The page of a post. It works without this file.

const $ = (selector, within = document) => within.querySelector(selector);
const post = $("[data-permalink] .post");

// ---- Whoever opens a post sees that post; what it answers is above, as far as one likes to scroll

if (post && $(".thread-above") && !location.hash && performance.getEntriesByType("navigation")[0]?.type === "navigate") {
  post.scrollIntoView({ block: "start", behavior: "instant" });
}

// ---- The reply button of the post leads to the field below it

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || !event.target.closest("[data-permalink] .action-reply")) return;
  const field = $("#compose");
  if (!field) return;
  event.preventDefault();
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length); // behind the handles of those who are addressed
});

// ---- A deleted post leaves its place to what hangs below it

document.addEventListener("post-deleted", ({ detail: { value: id } }) => {
  const gone = $(`.branch > [data-post="${id}"]`);
  if (!gone?.parentElement.querySelector(".branches")) return;
  const words = document.createElement("p");
  words.className = "post-missing";
  words.textContent = "This post was deleted.";
  gone.before(words);
}, true); // before the post itself is taken away
