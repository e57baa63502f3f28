// Writing: how much room is left, and what belongs to a post besides its text.

import { $, $$ } from "./dom.js";
import { firstWrong } from "./fields.js";
import { close } from "./menus.js";

// ---- How much room is left, counted as people see characters

const segments = window.Intl?.Segmenter && new Intl.Segmenter(undefined, { granularity: "grapheme" });
const lengthOf = (text) => (segments ? [...segments.segment(text)].length : [...text].length);

function showRoom(field) {
  const max = Number(field.dataset.max);
  const left = max - lengthOf(field.value.normalize("NFC").trim());
  const count = $(`#${field.dataset.count || "compose-count"}`, field.form); // there may be two such forms, one behind the other
  count.textContent = left < 0 ? `${-left} over` : `${left} left`;
  count.classList.toggle("over", left < 0);
}
document.addEventListener("input", ({ target }) => target.matches(".composer [data-max]") && showRoom(target));
document.addEventListener("htmx:load", ({ target }) => target.matches?.(".composer") && $$("[data-max]", target).forEach(showRoom));
$$(".composer [data-max]").forEach(showRoom);

// The description that the author was just asked for, if they were.
export const withoutWords = (form) => (form && $(".ask-for-words", form) ? $$("[name^=alt-]", form).find((words) => !words.value.trim()) : null);

// ---- Posted: what was written is marked, and the next one can be typed

document.addEventListener("htmx:afterRequest", ({ target, detail }) => {
  const { elt } = detail.requestConfig;
  if (elt.id !== "composer" || ![200, 422].includes(detail.xhr.status) || $("dialog[open]") || target.closest(".writing-sheet")) return; // not the target: the form is a new one by now
  if (detail.xhr.status === 200) $("#list .post")?.classList.add("post-new");
  (firstWrong($("#composer")) ?? withoutWords($("#composer")) ?? $("#compose"))?.focus();
});

// A form that is sent again after its answer was lost makes no second post: the first one may be on the page already.
document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
  const posts = $$("[data-entry]", detail.fragment);
  if (posts.length && posts.every(({ dataset }) => $(`#list [data-entry="${dataset.entry}"]`))) detail.shouldSwap = false;
});

// ---- What belongs to a post besides its text: a choice closes its menu, and Enter in a field does not send the post, but with Ctrl

document.addEventListener("click", ({ target, detail }) => { // detail: not by the arrow keys, which click, too
  if (detail && target.closest(".composer-audience .check")) close(target.closest("details"));
});
document.addEventListener("toggle", ({ target }) => {
  if (target.matches?.(".composer-warning") && target.open && target.contains(document.activeElement)) $("input", target).focus();
}, true);
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  const field = event.target, sends = event.ctrlKey || event.metaKey;
  if (sends && field.matches(".composer :is([name=text], [name=warning])")) field.form.requestSubmit();
  if (sends || !field.matches(".composer-foot input")) return;
  event.preventDefault();
  const menu = field.closest("details.menu");
  if (menu) close(menu);
  else $("[name=text]", field.form).focus();
});
