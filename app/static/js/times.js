// Times in full are those of the reader's clock.

import { $$ } from "./dom.js";

const inFull = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short" });
const localise = (within) => $$("time[title], time.moment", within).forEach((time) => {
  const words = inFull.format(new Date(time.dateTime));
  if (time.title) time.title = words;
  else time.textContent = words;
});
document.addEventListener("htmx:load", ({ target }) => localise(target));
localise(document);
