// Passkeys: the browser makes one, or lets one sign, and the form carries what it says.
//
// <button type="button" data-passkey="log_in" data-origin="…" data-to="…" data-field="…" hidden>: of a form with the field that it names.

import { to } from "./addresses.js";
import { $, $$, sendQuietly } from "./dom.js";

const STOPPED = "That was cancelled, or took too long. Try again, or go another way.";
const KNOWN = "This device has a passkey for your account already.";
const NOBODY = "The site didn’t answer. Try again in a moment.";

async function optionsFor({ passkey: purpose, options }) {
  if (options) return JSON.parse(options);
  const answer = await sendQuietly(to.askPasskey, { purpose });
  return answer?.ok ? answer.json() : null;
}

async function answerOf(button, options) {
  const { PublicKeyCredential: Key } = window;
  const made = button.dataset.options
    ? await navigator.credentials.create({ publicKey: Key.parseCreationOptionsFromJSON(options) })
    : await navigator.credentials.get({ publicKey: Key.parseRequestOptionsFromJSON(options) });
  return JSON.stringify(made.toJSON());
}

function say(button, words) {
  const told = $("[data-passkey-error]", button.form);
  told.textContent = words;
  told.hidden = !words;
}

async function use(button) {
  const { form, dataset } = button;
  say(button, "");
  if (location.origin !== dataset.origin) return say(button, `Passkeys work only at ${dataset.origin}. Open the site there.`);
  if (dataset.options && !form.reportValidity()) return;
  button.disabled = true;
  try {
    const options = await optionsFor(dataset);
    if (!options) return say(button, NOBODY);
    form.elements[dataset.field].value = await answerOf(button, options);
    if (dataset.to) form.action = dataset.to;
    form.submit();
  } catch (error) {
    say(button, error.name === "InvalidStateError" ? KNOWN : STOPPED);
  } finally {
    button.disabled = false;
  }
}

// A browser that knows none is shown what the page offers besides.
const isKnown = "parseRequestOptionsFromJSON" in (window.PublicKeyCredential ?? {});
$$("[data-passkey]").forEach((button) => {
  if (!isKnown) return $("[data-passkey-unknown]")?.removeAttribute("hidden");
  button.hidden = false;
  button.addEventListener("click", () => use(button));
});
document.addEventListener("keydown", (event) => { // Enter in the only field of a form whose button is no submit button
  const button = event.key === "Enter" && event.target.matches?.("input") && $("[data-options]", event.target.form ?? document.createElement("form"));
  if (!button) return;
  event.preventDefault();
  button.click();
});
