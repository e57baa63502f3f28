// The time zone of an account that has none yet is guessed, once, from this browser: days and times of its pages, the
// ends of days that it asks for. Settings → Time zone is where people choose.

import { to } from "./addresses.js";
import { attempt } from "./storage.js";
import { sendQuietly } from "./dom.js";

const REFUSED = "time-zone-refused"; // a name that the site does not know, and need not be told again
const { timeZone: known } = document.body.dataset;
const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();

async function guess() {
  const answer = await sendQuietly(to.guessTimeZone, { time_zone: timeZone });
  if (answer?.status === 422) attempt((storage) => storage.setItem(REFUSED, timeZone));
}
if (!known && timeZone && attempt((storage) => storage.getItem(REFUSED)) !== timeZone) guess();
