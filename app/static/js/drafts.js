// Drafts: what is typed into a form with `data-draft="<place>"` is kept in this browser until it is sent or discarded.
//
// Each page keeps its own, `draft:<account>:<place>:<page>`, so that two tabs do not write over each other; a page that
// opens takes the newest over. They are an account's own: another one on this browser never sees them, and a log-out
// removes them, because whoever presses that button leaves the computer to somebody else. A session that ran out does
// not. See docs/decisions/0013-drafts.md.

const $ = (selector, within = document) => within.querySelector(selector);

const A_MONTH = 30 * 24 * 60 * 60 * 1000;
const HERE = "drafts-of"; // who was last logged in here, until they log out
const { account, posted } = document.body.dataset;
const page = Date.now().toString(36) + Math.random().toString(36).slice(2, 8);
const taken = new Map(); // place -> the draft of an earlier page that this one goes on with
const sent = new Set(); // places from which this page has posted: the drafts of other tabs stay there

// ---- The browser's storage, which may be full, or forbidden

function attempt(act) {
  try { return act(localStorage); } catch { return null; }
}
const keys = () => attempt((storage) => Object.keys(storage).filter((key) => key.startsWith("draft:"))) ?? [];
const remove = (key) => attempt((storage) => storage.removeItem(key));
const keyFor = (place) => `draft:${account}:${place}:${page}`;

function stored(key) {
  const raw = attempt((storage) => storage.getItem(key));
  try { return { key, raw, ...JSON.parse(raw) }; } catch { return { key, raw }; }
}

function newest(place) {
  const theirs = sent.has(place) ? [keyFor(place)] : keys().filter((key) => key.startsWith(`draft:${account}:${place}:`));
  return theirs.map(stored).filter((draft) => draft.values).sort((a, b) => b.at - a.at)[0];
}

// ---- A form and its values

const isText = (field) => field.matches("textarea, input:not([type=radio], [type=checkbox])");
const fieldsOf = (form) => [...form.elements].filter((field) => field.name && !field.closest("[data-images]")
  && field.matches("textarea, select, input:not([type=hidden], [type=file], [type=submit])"));

function valuesOf(form) {
  const values = {};
  for (const field of fieldsOf(form)) {
    if (field.type === "checkbox") values[field.name] = field.checked;
    else if (field.type !== "radio" || field.checked) values[field.name] = field.value;
  }
  return values;
}

function fill(form, values) {
  for (const field of fieldsOf(form).filter(({ name }) => name in values)) {
    if (field.type === "checkbox") field.checked = values[field.name];
    else if (field.type === "radio") field.checked = field.value === values[field.name];
    else field.value = values[field.name];
    if (isText(field) && field.value) field.closest("details:not(.menu)")?.setAttribute("open", "");
  }
  tell(form);
}

// Others count what is left. Not bubbling as far as this file: nothing was typed.
let isTelling = false;
function tell(form) {
  isTelling = true;
  fieldsOf(form).filter(isText).forEach((field) => field.dispatchEvent(new Event("input", { bubbles: true })));
  isTelling = false;
}

// A form with `data-draft-over` starts with something that was not typed, and a draft is what somebody made of it.
const isOver = (form) => form.hasAttribute("data-draft-over");
const isAsItCame = (form) => isOver(form) && fieldsOf(form).every((field) => (isText(field) ? field.value === field.defaultValue : field.checked === field.defaultChecked));
const textIn = (form) => fieldsOf(form).filter(isText).map((field) => field.value.trim()).join("\n").trim();

// ---- Keeping, taking over, forgetting

function keep(form) {
  const place = form.dataset.draft, key = keyFor(place);
  if (!textIn(form) || isAsItCame(form)) return forget(place);
  if (attempt((storage) => storage.getItem(HERE)) === null) return; // logged out in another tab
  const draft = JSON.stringify({ at: Date.now(), values: valuesOf(form) });
  attempt((storage) => { storage.setItem(key, draft); leaveEarlier(place); });
}

function forget(place) {
  leaveEarlier(place);
  remove(keyFor(place));
}

function leaveEarlier(place) {
  const earlier = taken.get(place);
  taken.delete(place);
  // Unless another tab has gone on with it, whose draft it is then.
  if (earlier && earlier.key !== keyFor(place) && stored(earlier.key).raw === earlier.raw) remove(earlier.key);
}

function open(form) {
  form.autocomplete = "off"; // browsers fill in what was typed here before, whoever is logged in now
  const draft = newest(form.dataset.draft);
  if (!draft) return;
  if (textIn(form) && !isOver(form)) { // what the server sent back is newer; usually it is the same
    if (draft.values.text?.trim() === form.elements.text?.value.trim()) taken.set(form.dataset.draft, draft);
    return;
  }
  taken.set(form.dataset.draft, draft);
  fill(form, draft.values);
  say(form, "Draft restored", "Discard", () => discard(form));
}

function discard(form) {
  const values = valuesOf(form);
  forget(form.dataset.draft);
  form.reset();
  tell(form);
  say(form, "Draft discarded", "Undo", () => {
    fill(form, values);
    keep(form);
    say(form, "Draft restored", "Discard", () => discard(form));
  });
}

function say(form, words, action, act) {
  const line = $(".draft-line", form) ?? document.createElement("p"), button = document.createElement("button");
  line.className = "draft-line";
  line.setAttribute("role", "status");
  if (!line.isConnected) $("textarea", form).after(line);
  button.type = "button";
  button.className = "link-button";
  button.textContent = action;
  button.addEventListener("click", () => { act(); $("textarea", form).focus(); });
  line.replaceChildren(`${words} · `, button);
}

// ---- When

function openAll(within) {
  const forms = [...within.querySelectorAll("form[data-draft]")];
  if (within.matches?.("form[data-draft]")) forms.push(within);
  forms.forEach(open);
}

if (account) {
  attempt((storage) => storage.setItem(HERE, account));
  document.addEventListener("input", ({ target }) => {
    if (!isTelling && target.form?.matches("[data-draft]")) keep(target.form);
  });
  document.addEventListener("htmx:load", ({ target }) => openAll(target));
  document.addEventListener("htmx:beforeSwap", ({ detail: { xhr, requestConfig: { elt } } }) => {
    if (!elt.matches("form[data-draft]") || xhr.status >= 300) return;
    forget(elt.dataset.draft);
    sent.add(elt.dataset.draft);
  });
  // A plain form: the page after it says in `data-posted` that the server took it.
  document.addEventListener("submit", ({ target }) => {
    if (!target.matches("form[data-draft]") || target.hasAttribute("hx-post")) return;
    keep(target);
    const name = document.createElement("input");
    Object.assign(name, { type: "hidden", name: "draft", value: page });
    $("[name=draft]", target)?.remove();
    target.append(name);
  });
}

const forgetAll = (whose) => keys().filter((key) => key.startsWith(`draft:${whose}:`)).forEach(remove);
document.addEventListener("submit", ({ target }) => {
  const { pathname } = new URL(target.getAttribute("action") || "", location); // not .action: a form may have a field of that name
  if (pathname === "/settings/delete") attempt(() => sessionStorage.setItem("leaving", account)); // if the password is right
  if (pathname !== "/logout") return;
  forgetAll(account);
  remove(HERE);
});
const leaving = attempt(() => sessionStorage.getItem("leaving"));
if (leaving && !account) forgetAll(leaving);
attempt(() => sessionStorage.removeItem("leaving"));

// A page that the browser kept as it was, for the way back: not for whoever has come since, nor after a log-out.
window.addEventListener("pageshow", ({ persisted }) => {
  if (persisted && account && attempt((storage) => storage.getItem(HERE)) !== account) location.reload();
});

const isStale = ({ at, values }) => Object(values) !== values || !(at > Date.now() - A_MONTH);
keys().filter((key) => isStale(stored(key)) || (posted && key.endsWith(`:${posted}`))).forEach(remove);
if (account) openAll(document);
