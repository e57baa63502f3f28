// Lists are read forward in time, too: what is newer than a page comes above it, when a reader scrolls up to there. What
// is on the screen stays where it is.

import { $, $$, topOf } from "./dom.js";
import { hold } from "./hold.js";

const NEAR = 600; // pixels above the screen
let before = scrollY, goBack = null;

addEventListener("scroll", () => {
  const isUp = scrollY < before, link = $("#prev a");
  before = scrollY;
  if (isUp && link && !link.classList.contains("htmx-request") && topOf(link) > -NEAR) htmx.trigger(link, "upwards");
}, { passive: true });

// Also of what comes below: browsers hold on to what has the focus, and would follow the link that was pressed past all
// that has come above it.
const leadsOn = ({ requestConfig: { elt } }) => elt.matches("a[rel=next], a[rel=prev]");
let last = null; // post above a link that the keyboard has pressed
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (!leadsOn(detail)) return;
  goBack = hold();
  const { elt } = detail.requestConfig;
  last = elt.matches("[rel=next]:focus-visible") ? $$("#list [data-entry]").at(-1) : null;
  elt.blur();
});
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!leadsOn(detail) || !detail.successful) return;
  if (detail.requestConfig.elt.rel === "prev") $("#further-down")?.remove(); // the page does not begin there any more
  goBack();
  before = scrollY;
  const posts = $$("#list [data-entry]");
  if (last) posts[posts.indexOf(last) + 1]?.focus({ preventScroll: true });
});
