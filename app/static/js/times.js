// Days and times are in the reader's time zone: the account's, or where that is not known, the browser's. The server
// has said those of an account already, but for titles, which it keeps for all readers. How long ago something was
// moves on.

import { $$ } from "./dom.js";

const PARTS = { year: "numeric", month: "long", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };

function clockOf(timeZone) {
  try { return new Intl.DateTimeFormat("en-US", { ...PARTS, timeZone }); }
  catch { return new Intl.DateTimeFormat("en-US", PARTS); } // a browser that does not know this zone: it is in one, too
}
const { timeZone: known } = document.body.dataset; // of the account
const clock = clockOf(known || undefined);
const at = (moment) => Object.fromEntries(clock.formatToParts(moment).map(({ type, value }) => [type, value]));

// ---- As app/core/times.py says them

const MINUTE = 60, HOUR = 60 * MINUTE, DAY = 24 * HOUR; // seconds

export function inFull(moment) {
  const { day, month, year, hour, minute } = at(moment);
  return `${day} ${month} ${year}, ${hour}:${minute}`;
}

function shortDay(moment) { // 14 Mar, 14 Mar 2025
  const { day, month, year } = at(moment), words = `${day} ${month.slice(0, 3)}`;
  return year === at(Date.now()).year ? words : `${words} ${year}`;
}

function ago(moment) { // now, 5m, 3h, 2d, 14 Mar, 14 Mar 2025
  const seconds = (Date.now() - moment) / 1000;
  if (seconds < MINUTE) return "now";
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)}m`;
  if (seconds < DAY) return `${Math.floor(seconds / HOUR)}h`;
  return seconds < 7 * DAY ? `${Math.floor(seconds / DAY)}d` : shortDay(moment);
}

const WORDS = {
  moment: inFull,
  day: (moment) => inFull(moment).split(",")[0],
  month: (moment) => { const { month, year } = at(moment); return `${month} ${year}`; },
  "short-day": shortDay,
  ago,
};

function say(times) {
  for (const time of times) {
    const words = WORDS[time.dataset.as](new Date(time.dateTime));
    if (time.textContent !== words) time.textContent = words;
  }
}

// ---- Days that are asked for end where those end that the page shows

function fillIn(field) {
  field.value = clock.resolvedOptions().timeZone;
  field.disabled = false;
}

// ---- When

function localise(within) {
  say($$("time[data-as]", within));
  for (const time of $$("time[title]", within)) time.title = inFull(new Date(time.dateTime));
  if (!known) $$(".jump [name=time_zone]", within).forEach(fillIn);
}
document.addEventListener("htmx:load", ({ target }) => localise(target));
localise(document);

function moveOn() {
  if (document.visibilityState === "visible") say($$("time[data-as=ago]"));
}
setInterval(moveOn, 20000);
document.addEventListener("visibilitychange", moveOn);
window.addEventListener("pageshow", moveOn); // a page that the browser kept
