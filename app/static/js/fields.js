// Fields of forms: what was wrong with one is gone when it is changed, and a handle is checked while it is typed.

import { to } from "./addresses.js";
import { $ } from "./dom.js";

const PAUSE = 300; // milliseconds in which nothing more is typed

const isWrong = "[aria-invalid=true], fieldset[data-wrong]";

// What is to be changed first: the field, or the choice.
export function firstWrong(within) {
  const wrong = $(isWrong, within);
  return wrong?.matches("fieldset") ? $("input:checked", wrong) ?? $("input", wrong) : wrong;
}

// Its own message, not that of another field beside it.
function mend(field) {
  if (!field) return;
  const form = field.form ?? field.closest("form"); // two may have the same fields, one in a dialog and one behind it
  const told = (field.getAttribute("aria-describedby") ?? "").split(" ").filter(Boolean), wordsOf = (id) => $(`#${id}`, form);
  told.map(wordsOf).forEach((words) => words?.matches(".error") && words.remove());
  field.closest(".field-wrong")?.classList.remove("field-wrong");
  field.removeAttribute("aria-invalid");
  delete field.dataset.wrong;
  const left = told.filter(wordsOf);
  if (left.length) field.setAttribute("aria-describedby", left.join(" "));
  else field.removeAttribute("aria-describedby");
  if (!$(isWrong, form)) $(".form-wrong", form)?.remove();
}
document.addEventListener("input", ({ target }) => mend(target.closest(isWrong)));
if (!$("main [autofocus]")) firstWrong(document)?.focus();

// ---- The handle that somebody chooses

const handle = $("input[name=handle]");
const verdict = document.createElement("div");
let timer = 0;

async function check() {
  const typed = handle.value;
  const answer = await fetch(`${to.checkHandle}?handle=${encodeURIComponent(typed)}`).catch(() => null);
  if (!answer?.ok || typed !== handle.value || !typed.trim()) return; // the form says it when it is sent
  const said = new DOMParser().parseFromString(await answer.text(), "text/html").body.firstElementChild;
  const isBad = said.matches(".error");
  verdict.replaceChildren(said);
  verdict.parentElement.classList.toggle("field-wrong", isBad);
  if (isBad) handle.setAttribute("aria-invalid", "true");
}

if (handle) {
  verdict.setAttribute("role", "status");
  verdict.id = "handle-verdict";
  handle.setAttribute("aria-describedby", `${handle.getAttribute("aria-describedby") ?? ""} ${verdict.id}`.trim());
  handle.after(verdict);
  handle.addEventListener("input", () => {
    verdict.replaceChildren();
    clearTimeout(timer);
    timer = setTimeout(check, PAUSE);
  });
}
