// What is on the screen stays where it is while something is put above it, also in browsers that do not see to that
// themselves.

import { $$, topOf } from "./dom.js";

export const BAR = 60; // the heading, which stays on top

// Return what leads back to where the reader is now, to the pixel. It also knows whether they are there, or further down.
export function hold() {
  const read = $$("[data-entry]").find((post) => post.getBoundingClientRect().bottom > BAR), top = read && topOf(read);
  const leadBack = () => read?.isConnected && scrollBy({ top: topOf(read) - top, behavior: "instant" });
  return Object.assign(leadBack, { isThere: () => !read?.isConnected || topOf(read) <= top + 1 });
}
