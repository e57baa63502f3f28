// Before something is sent: a question where it cannot be undone, and a plain form only once.

import { whenBack } from "./dialogs.js";
import { $, $$ } from "./dom.js";
import { close } from "./menus.js";

// ---- Questions

const questions = [({ dataset: { ask: question, yes } }) => question && { question, yes }];

// Have a plain form ask what `questionAbout(form)` returns, `{ question, yes }`, unless that is nothing.
export const askBefore = (questionAbout) => questions.push(questionAbout);

function ask(element, { question, yes }, goOn) {
  const dialog = $("#confirm");
  $("#confirm-question").textContent = question;
  $("#confirm-yes").textContent = yes || "Delete";
  dialog.returnValue = "no";
  dialog.showModal();
  dialog.addEventListener("close", () => {
    if (dialog.returnValue === "yes") return whenBack().then(goOn);
    const menu = element.closest("details.menu");
    if (menu) close(menu);
  }, { once: true });
}

document.addEventListener("htmx:confirm", (event) => {
  const { target, detail: { question, issueRequest } } = event;
  if (!question) return;
  event.preventDefault();
  ask(target, { question, yes: target.dataset.yes }, () => issueRequest(true));
});
document.addEventListener("submit", (event) => { // a plain form
  const form = event.target;
  const asked = !form.dataset.agreed && questions.map((questionAbout) => questionAbout(form)).find(Boolean);
  if (!asked) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  ask(form, asked, () => { form.dataset.agreed = "yes"; form.requestSubmit(); });
}, true);

// ---- A plain form is sent once, however often its button is clicked

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || form.hasAttribute("hx-post")) return;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = "yes";
});
window.addEventListener("pageshow", () => $$("form[data-sent]").forEach((form) => { delete form.dataset.sent; delete form.dataset.agreed; }));
