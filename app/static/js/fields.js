// Fields of forms: what was wrong with one is gone when it is changed, and a handle is checked while it is typed.

import { to } from "./addresses.js";
import { $ } from "./dom.js";

const PAUSE = 300; // milliseconds in which nothing more is typed

function mend(input) {
  const field = input.closest(".field-wrong");
  if (!field) return;
  field.classList.remove("field-wrong");
  $(".error", field)?.remove();
  input.removeAttribute("aria-invalid");
  const left = (input.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => document.getElementById(id));
  if (left.length) input.setAttribute("aria-describedby", left.join(" "));
  else input.removeAttribute("aria-describedby");
}
document.addEventListener("input", ({ target }) => mend(target));

// ---- The handle that somebody chooses

const handle = $("input[name=handle]");
const verdict = document.createElement("div");
let timer = 0;

async function check() {
  const typed = handle.value;
  const answer = await fetch(`${to.checkHandle}?handle=${encodeURIComponent(typed)}`).catch(() => null);
  if (!answer?.ok || typed !== handle.value || !typed.trim()) return; // the form says it when it is sent
  const said = new DOMParser().parseFromString(await answer.text(), "text/html").body.firstElementChild;
  const isWrong = said.matches(".error");
  verdict.replaceChildren(said);
  verdict.parentElement.classList.toggle("field-wrong", isWrong);
  if (isWrong) handle.setAttribute("aria-invalid", "true");
}

if (handle) {
  verdict.setAttribute("role", "status");
  handle.after(verdict);
  handle.addEventListener("input", () => {
    verdict.replaceChildren();
    clearTimeout(timer);
    timer = setTimeout(check, PAUSE);
  });
}
