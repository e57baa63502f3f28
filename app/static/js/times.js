// Times in full are those of the reader's clock; those that say how long ago something was move on.

import { $$ } from "./dom.js";

const inFull = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short" });
const localise = (within) => $$("time[title], time.moment", within).forEach((time) => {
  const words = inFull.format(new Date(time.dateTime));
  if (time.title) time.title = words;
  else time.textContent = words;
});
document.addEventListener("htmx:load", ({ target }) => localise(target));
localise(document);

// ---- As short as app/core/times.py says them: now, 5m, 3h, 2d, 14 Mar, 14 Mar 2025

const MINUTE = 60, HOUR = 60 * MINUTE, DAY = 24 * HOUR; // seconds
const dayAndMonth = new Intl.DateTimeFormat("en-US", { day: "numeric", month: "short" });

function shortDay(moment) {
  const part = (type) => dayAndMonth.formatToParts(moment).find((each) => each.type === type).value;
  const words = `${part("day")} ${part("month")}`;
  return moment.getFullYear() === new Date().getFullYear() ? words : `${words} ${moment.getFullYear()}`;
}

function ago(moment) {
  const seconds = (Date.now() - moment) / 1000;
  if (seconds < MINUTE) return "now";
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)}m`;
  if (seconds < DAY) return `${Math.floor(seconds / HOUR)}h`;
  return seconds < 7 * DAY ? `${Math.floor(seconds / DAY)}d` : shortDay(moment);
}

function moveOn() {
  if (document.visibilityState !== "visible") return;
  for (const time of $$(":is(.post-time, .post-reposters) time")) {
    const words = ago(new Date(time.dateTime));
    if (time.textContent !== words) time.textContent = words;
  }
}
setInterval(moveOn, 20000);
document.addEventListener("visibilitychange", moveOn);
window.addEventListener("pageshow", moveOn); // a page that the browser kept
