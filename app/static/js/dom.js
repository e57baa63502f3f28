// What every module does with the page.

export const $ = (selector, within = document) => within.querySelector(selector);
export const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];
export const topOf = (element) => element.getBoundingClientRect().top;

// Tell the server something in passing, also while the page is left; null where nobody answered.
export function sendQuietly(path, fields) {
  const { "X-CSRFToken": token } = JSON.parse(document.body.getAttribute("hx-headers"));
  const body = new URLSearchParams({ ...fields, csrf_token: token });
  return fetch(path, { method: "POST", body, keepalive: true }).catch(() => null);
}

// A click that asks for a new tab or window.
export const isForNewTab = ({ ctrlKey, metaKey, shiftKey }) => ctrlKey || metaKey || shiftKey;
