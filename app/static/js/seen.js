// Seen means seen: what was half on the screen for a second, or was scrolled past, is reported in batches, also when
// the page is left. Entries are told apart by their ids, not by the order in which the page shows them.

import { to } from "./addresses.js";
import { $, $$, sendQuietly, topOf } from "./dom.js";
import { wasKnown } from "./scripts.js";

const LONG_ENOUGH = 1000; // milliseconds on the screen
const COLLECTED_FOR = 2000;
const here = $("#seen-here"); // on the home feed alone
const idOf = (post) => Number(post.dataset.entry); // 53 bits: exact
const following = new Set(); // ids between which the feed has no others
const alone = new Set(); // posts of this page's own, above which it does not know what else is new
const seen = new Set();
const timers = new Map(), cameFrom = new Map();
const OVERLAP = 5000 * 4096; // 5 s in ids: so much later one may commit than it was drawn
let settled = 0; // below it nothing appears any more
let reported = "", reporting = 0;

// ---- What has been on the screen

function see(post) {
  stopWaiting(post);
  if (seen.has(idOf(post))) return;
  seen.add(idOf(post));
  observer.unobserve(post);
  reporting ||= setTimeout(report, COLLECTED_FOR);
}

function stopWaiting(post) {
  clearTimeout(timers.get(post));
  timers.delete(post);
}

function look({ target: post, isIntersecting, intersectionRect, boundingClientRect: box, rootBounds: screen }) {
  const isEnough = isIntersecting && intersectionRect.height >= Math.min(box.height, screen.height) / 2;
  if (!isEnough) stopWaiting(post);
  else if (!timers.has(post) && document.visibilityState === "visible") timers.set(post, setTimeout(see, LONG_ENOUGH, post));
  if (isIntersecting) {
    if (!cameFrom.has(post)) cameFrom.set(post, box.top < screen.top ? "above" : box.bottom > screen.bottom ? "below" : "");
    return;
  }
  const leftBy = box.bottom <= screen.top + 1 ? "above" : "below", from = cameFrom.get(post);
  cameFrom.delete(post);
  if (from !== undefined && from !== leftBy && (from || leftBy === "above")) see(post); // scrolled past
}

const steps = Array.from({ length: 21 }, (_, step) => step / 20); // of tall posts half a screen is enough
const bar = $(".tabs"), atBottom = bar && getComputedStyle(bar).position === "fixed" ? innerHeight - topOf(bar) : 0;
const observer = here && new IntersectionObserver((entries) => entries.forEach(look), { rootMargin: `-60px 0px -${Math.round(atBottom)}px`, threshold: steps });

function isOwn({ dataset: { author, reposter } }) {
  return reposter === undefined ? author === here.dataset.reader : reposter === "";
}

function watch() {
  for (const post of $$("#list [data-entry]")) {
    if (isOwn(post)) seen.add(idOf(post)); // nobody's own is new to them
    if (!seen.has(idOf(post))) observer.observe(post);
  }
}

// ---- What the page holds without a gap

const add = (ids, to) => ids.forEach((id) => to.add(id));

function know(arrived) {
  const others = $$("#list [data-entry]").map(idOf).filter((id) => !following.has(id));
  if (arrived === "written") add(others, alone);
  else add(others.filter((id) => !alone.has(id)), following);
  if (arrived === "above") { // all that is new: what was written before that is among it
    const top = Math.max(...following), known = [...alone].filter((id) => id < top);
    add(known, following);
    known.forEach((id) => alone.delete(id));
  }
  watch();
}

// ---- Reporting

function stretches() {
  const ids = [...following].sort((a, b) => a - b), joined = [];
  const found = ids.map((id, place) => [id > settled ? id : place ? ids[place - 1] + 1 : $("#next a") ? id : 1, id]);
  found.push(...[...alone].map((id) => [id, id]));
  for (const [first, last] of found.filter(([, id]) => seen.has(id)).sort((a, b) => a[0] - b[0])) {
    const before = joined.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else joined.push([first, last]);
  }
  return joined.filter(([, last]) => last > Number(here.dataset.mark)).map((stretch) => stretch.join("-")).join();
}

async function report() {
  clearTimeout(reporting);
  reporting = 0;
  const words = stretches();
  if (words === reported) return;
  const before = reported;
  reported = words; // what is sent when the page is left must not wait for this
  const answer = await sendQuietly(to.seen, { seen: words });
  if (!answer?.ok && reported === words) reported = before; // said again with what comes next
}

function settle(xhr) {
  settled = Math.max(settled, Number(xhr.getResponseHeader("X-Settled")));
  if (stretches() !== reported) reporting ||= setTimeout(report, COLLECTED_FOR);
}

if (here) {
  know();
  settled = Math.max(0, ...following) - OVERLAP;
  if (!wasKnown) { // the server took it for a browser without scripts
    reported = null;
    report();
  }
  document.addEventListener("htmx:afterRequest", ({ detail: { requestConfig: { elt, path }, xhr, successful } }) => {
    if (!successful) return;
    if (elt.matches("a[rel=next], a[rel=prev]")) know("beside");
    else if (elt.matches(".pill")) know("above");
    else know("written");
    if (path.startsWith(to.newPosts) && (xhr.status === 204 || elt.matches(".pill"))) settle(xhr);
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") {
      $$("#list [data-entry]").forEach((post) => observer.unobserve(post));
      return watch();
    }
    [...timers.keys()].forEach(stopWaiting);
    report();
  });
  addEventListener("pagehide", report);
  addEventListener("online", report);
}
