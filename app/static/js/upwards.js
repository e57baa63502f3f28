// Lists are read forward in time, too: what is newer than a page comes above it, when a reader scrolls up to there.

import { $, topOf } from "./dom.js";
import { hold } from "./hold.js";

const NEAR = 600; // pixels above the screen
let before = scrollY, goBack = null;

addEventListener("scroll", () => {
  const isUp = scrollY < before, link = $("#prev a");
  before = scrollY;
  if (isUp && link && !link.classList.contains("htmx-request") && topOf(link) > -NEAR) htmx.trigger(link, "upwards");
}, { passive: true });

const isUpwards = ({ requestConfig: { elt } }) => elt.matches("a[rel=prev]");
document.addEventListener("htmx:beforeSwap", ({ detail }) => { if (isUpwards(detail)) goBack = hold(); });
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!isUpwards(detail) || !detail.successful) return;
  $("#further-down")?.remove(); // the page does not begin there any more
  goBack();
  before = scrollY;
});
