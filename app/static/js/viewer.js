// The images of a post over the page, one after another, as large as the window allows.
// Without scripts their links lead to the files themselves.

import { $, $$ } from "./dom.js";
import { whenSlow } from "./slow.js";

const viewer = $("#viewer"), stage = $(".viewer-stage", viewer), words = $("#viewer-words");
const wantsLessMotion = matchMedia("(prefers-reduced-motion: reduce)");
const SWIPE = 48; // pixels: less is a tap
let links = [], opener = null, here = 0;

// ---- Showing one

const fileOf = (link) => (wantsLessMotion.matches && link.dataset.still) || link.href;

function draw(file, alt, width, height) {
  const image = new Image();
  image.className = "viewer-image";
  image.alt = alt;
  image.src = file;
  keepRoom(image, width, height);
  return image;
}

function keepRoom(image, width, height) {
  image.style.setProperty("--width", width);
  image.style.setProperty("--height", height);
}

let settled = () => {};
function waitIn(place) {
  place.removeAttribute("aria-busy");
  const forget = whenSlow(() => place.setAttribute("aria-busy", "true"));
  return () => {
    forget();
    place.removeAttribute("aria-busy");
  };
}

function show(place) {
  here = (place + links.length) % links.length; // after the last one comes the first
  const link = links[here], inCard = $("img", link), { width, height } = link.dataset;
  // What the card shows is there already: it stands in, in the same room, until the large file has come.
  const meanwhile = draw(inCard.currentSrc || inCard.src, inCard.alt, width, height);
  const large = draw(fileOf(link), inCard.alt, width, height);
  stage.replaceChildren(meanwhile);
  settled();
  const isThere = (settled = waitIn(stage));
  large.decode().finally(() => settled === isThere && isThere()).then(() => {
    keepRoom(large, large.naturalWidth, large.naturalHeight); // an animation may be smaller than its first frame
    meanwhile.replaceWith(large); // does nothing if another image is shown by now
  }, () => {});
  $("[data-place]", viewer).textContent = links.length > 1 ? `${here + 1} of ${links.length}` : "";
  $(".viewer-file", viewer).href = fileOf(link);
  words.textContent = $(".alt-mark", link) ? inCard.alt : "";
  words.scrollTop = 0;
}

// ---- Opening: a link for a new tab or window opens one. The images of one post belong together, and no others

document.addEventListener("click", (event) => {
  const link = event.target.closest("a.post-image");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  opener = link;
  links = $$("a.post-image", link.closest(".post-images"));
  $$("[data-step]", viewer).forEach((button) => (button.hidden = links.length < 2));
  show(links.indexOf(link));
  viewer.showModal();
});

// ---- Going on: by button, key or finger

viewer.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-step]");
  if (button) show(here + Number(button.dataset.step));
});

document.addEventListener("keydown", (event) => { // on the document: a click on the image may take the focus out of the dialog
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!viewer.open || !by || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  show(here + by);
});

// Touches rather than pointers: these go on while the browser pans and zooms, so that both stay possible.
let touched = null;
stage.addEventListener("touchstart", ({ target, touches }) => {
  touched = touches.length === 1 && visualViewport.scale === 1 ? touches[0] : null;
  // On the image itself: the large file may take its place meanwhile, and an event of what is gone reaches no parent.
  target.addEventListener("touchend", swipe, { once: true });
}, { passive: true });

function swipe({ changedTouches: [lifted] }) {
  if (!touched) return;
  const across = lifted.clientX - touched.clientX, down = lifted.clientY - touched.clientY;
  touched = null;
  if (Math.abs(across) >= SWIPE && Math.abs(across) > 2 * Math.abs(down)) show(here - Math.sign(across));
}

// ---- Closing: by button, Escape or a click beside the image

viewer.addEventListener("click", ({ target }) => {
  // Words that were marked to be copied may end beside them.
  if (!target.closest("img, a, button, .viewer-words") && getSelection().isCollapsed) viewer.close();
});
viewer.addEventListener("close", () => {
  settled();
  stage.replaceChildren(); // an animation that nobody sees stops
  opener.focus({ preventScroll: true }); // not every browser focuses a link that is clicked
});

// ---- A description that is longer than its room can be scrolled by keyboard

new ResizeObserver(() => (words.tabIndex = words.scrollHeight > words.clientHeight ? 0 : -1)).observe(words);
