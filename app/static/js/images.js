// Images for the post that is being written: chosen, dropped or pasted, they are uploaded at once, one after another.
// Without scripts they are chosen in the form and travel with the post itself.

import { to } from "./addresses.js";
import { $, $$ } from "./dom.js";
import { renewToken } from "./session.js";

const COMPOSER = ".composer:has([data-images])"; // a form that edits a post has none
const listOf = (composer) => $("[data-images]", composer);
const headersOf = (composer) => ({ "HX-Request": "true", "X-CSRFToken": $("[name=csrf_token]", composer).value });
const isUploading = (composer) => Boolean($(".uploading progress", composer));
const hasChanged = (composer) => composer.dispatchEvent(new Event("images-changed", { bubbles: true })); // drafts.js keeps them
let queue = Promise.resolve();
let loggedOut = false;

// ---- What a form without JavaScript needs is in the way of one with it

function prepare(within) {
  $$(".composer [type=file]", within).forEach((input) => {
    input.removeAttribute("name"); // what is chosen is uploaded by itself
    input.form.removeAttribute("enctype");
  });
  $$("label.image-remove", within).forEach((label) => label.replaceWith($(".image-remove", $("[data-uploading]").content).cloneNode(true)));
}

// ---- Uploading

function complain(composer, sentence) {
  const element = document.createElement("p");
  element.className = "error";
  element.setAttribute("role", "alert");
  element.textContent = sentence;
  $("[data-image-errors]", composer).append(element);
}

function add(composer, files) {
  const list = listOf(composer), { most, megabytes } = list.dataset;
  $("[data-image-errors]", composer).replaceChildren();
  const room = most - list.children.length;
  if (files.length > room) complain(composer, "A post can have up to four images.");
  for (const file of files.slice(0, Math.max(room, 0))) {
    if (file.size > megabytes * 1024 ** 2) complain(composer, `${file.name}: This file is too large. The limit is ${megabytes} MB.`);
    else upload(composer, file);
  }
}

const placeIn = (composer) => $("[data-uploading]", composer).content.firstElementChild.cloneNode(true);

function upload(composer, file) {
  const item = placeIn(composer), image = $("img", item);
  image.src = URL.createObjectURL(file);
  $("progress", item).setAttribute("aria-label", `Uploading ${file.name}`);
  $(".hint", item).textContent = "Waiting…";
  listOf(composer).append(item);
  queue = queue.then(() => item.isConnected && send(composer, file, item)).then(() => {
    URL.revokeObjectURL(image.src);
    item.remove();
  });
}

async function send(composer, file, item) {
  if (loggedOut) await renewToken().catch(() => {});
  const xhr = await request(composer, file, item);
  if (!item.isConnected) return; // taken back meanwhile
  loggedOut = xhr.status === 401;
  if (xhr.status === 200) return show(composer, item, xhr.responseText);
  const plain = (xhr.getResponseHeader("Content-Type") || "").startsWith("text/plain");
  const sentence = plain ? xhr.responseText : xhr.status ? "That didn’t work. Please try again." : "No connection. Add it again in a moment.";
  complain(composer, `${file.name}: ${sentence}`);
}

function request(composer, file, item) {
  const xhr = new XMLHttpRequest(), body = new FormData(), progress = $("progress", item), words = $(".hint", item);
  body.append("image", file);
  words.textContent = "0%";
  xhr.open("POST", to.images);
  Object.entries(headersOf(composer)).forEach(([name, value]) => xhr.setRequestHeader(name, value));
  xhr.upload.onprogress = ({ loaded, total }) => {
    progress.value = Math.floor((100 * loaded) / total);
    words.textContent = loaded < total ? `${progress.value}%` : "Processing…";
  };
  $(".image-remove", item).addEventListener("click", () => xhr.abort());
  return new Promise((done) => {
    xhr.onloadend = () => done(xhr);
    xhr.send(body);
  });
}

function show(composer, item, html) {
  const shown = parsed(html).firstElementChild;
  item.before(shown);
  prepare(shown);
  hasChanged(composer);
}

function parsed(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

// ---- Leaving out what was uploaded

document.addEventListener("click", ({ target }) => {
  const item = target.closest("button.image-remove")?.closest("li"), composer = item?.closest(".composer");
  if (!composer) return;
  const uploaded = $("[name=images]", item);
  if (uploaded) fetch(to.deleteImage(uploaded.value), { method: "POST", headers: headersOf(composer), keepalive: true });
  item.remove();
  $("[data-image-errors]", composer).replaceChildren();
  $("[type=file]", composer).focus();
  hasChanged(composer);
});

// ---- The images of a draft: drafts.js knows which, and the server whether they still wait

// Put these images into a form instead of those it has; return those that no longer wait.
export async function showImages(composer, images) {
  if (!composer.matches(COMPOSER)) return [];
  const items = images.map((image) => placeFor(composer, image));
  listOf(composer).replaceChildren(...items);
  if (!items.length) {
    $("[data-image-errors]", composer).replaceChildren();
    return [];
  }
  const gone = bringBack(composer, images, items);
  queue = Promise.all([queue, gone]);
  return gone;
}

// It is sent with the post from the first moment on, whether it can be shown or not.
function placeFor(composer, { id, alt }) {
  const item = placeIn(composer);
  for (const [name, value] of [["images", id], [`alt-${id}`, alt]]) {
    item.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  }
  $("img", item).src = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>"; // an empty place, not a broken picture
  $("progress", item).removeAttribute("value");
  $("progress", item).setAttribute("aria-label", "Loading an image from your draft");
  $(".hint", item).textContent = "Loading…";
  return item;
}

async function bringBack(composer, images, items) {
  const named = new URLSearchParams(images.map(({ id }) => ["images", id]));
  const html = await fetch(`${to.images}?${named}`, { headers: headersOf(composer) }).then((response) => (response.ok ? response.text() : null)).catch(() => null);
  const found = parsed(html ?? ""), gone = [];
  images.forEach((image, place) => {
    const item = items[place], shown = found.getElementById(`image-${image.id}`);
    if (html === null) {
      $("progress", item).remove();
      $(".hint", item).textContent = "This can’t be shown right now, but it’s still part of your post.";
    } else if (shown) {
      $("textarea", shown).value = image.alt;
      prepare(shown);
      item.replaceWith(shown);
    } else if (item.isConnected) { // not left out or discarded meanwhile
      item.remove();
      gone.push(image);
    }
  });
  return gone;
}

// ---- Choosing, pasting, dropping

document.addEventListener("change", ({ target }) => {
  if (!target.matches(".composer [type=file]")) return;
  add(target.form, [...target.files]);
  target.value = "";
});

document.addEventListener("paste", (event) => {
  const composer = event.target.closest(COMPOSER), files = [...(event.clipboardData?.files || [])];
  // Word processors put a picture of the text beside the text.
  if (!composer || !files.length || event.clipboardData.types.includes("text/plain")) return;
  event.preventDefault();
  add(composer, files);
});

// Anywhere on the page: a browser would leave it to show a file that misses the form, and what was typed would be lost.
const dropsOn = (event) => event.dataTransfer?.types.includes("Files") && (event.target.closest?.(COMPOSER) || $(`dialog[open] ${COMPOSER}`) || $(COMPOSER));
const mark = (composer) => $$(COMPOSER).forEach((each) => each.classList.toggle("is-dropping", each === composer));

for (const moment of ["dragenter", "dragover"]) {
  document.addEventListener(moment, (event) => {
    const composer = dropsOn(event);
    if (!composer) return;
    event.preventDefault();
    mark(composer);
  });
}
document.addEventListener("dragleave", ({ relatedTarget }) => relatedTarget || mark(null));
document.addEventListener("drop", (event) => {
  const composer = dropsOn(event);
  if (!composer) return;
  event.preventDefault();
  mark(null);
  add(composer, [...event.dataTransfer.files]);
});

// ---- A post waits for its images, and goes only with all of them

document.addEventListener("submit", (event) => {
  const form = event.target, button = $(".button-primary", form);
  if (!form.matches(".composer") || !isUploading(form)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (button.disabled) return;
  button.disabled = true;
  const sendLater = () => (isUploading(form) ? queue.then(sendLater) : form);
  queue.then(sendLater).then(() => {
    button.disabled = false;
    if (!$("[data-image-errors] .error", form)) form.requestSubmit();
  });
}, true);

document.addEventListener("htmx:load", ({ target }) => prepare(target.parentElement || document));
prepare(document);
