// What every module does with the page.

export const $ = (selector, within = document) => within.querySelector(selector);
export const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];
export const topOf = (element) => element.getBoundingClientRect().top;

// A click that asks for a new tab or window.
export const isForNewTab = ({ ctrlKey, metaKey, shiftKey }) => ctrlKey || metaKey || shiftKey;
