// The drafts and recent searches in this browser's storage, which may be full, or forbidden. Each page keeps its own,
// `draft:<account>:<place>:<page>`: see drafts.js. Here is also what forgets them where nobody is logged in.

const A_MONTH = 30 * 24 * 60 * 60 * 1000;
const LEAVING = "leaving"; // the account that is being deleted, if the password is right
const { account, posted } = document.body.dataset;

export function attempt(act) {
  try { return act(localStorage); } catch { return null; }
}
export const keys = () => attempt((storage) => Object.keys(storage).filter((key) => key.startsWith("draft:"))) ?? [];
export const remove = (key) => attempt((storage) => storage.removeItem(key));
export const draftsOf = (whose) => keys().filter((key) => key.startsWith(`draft:${whose}:`));
export const forgetSearches = (whose = "") => remove(`searches:${whose}`);
export const forgetAll = (whose) => { [...draftsOf(whose), `discarded:${whose}`].forEach(remove); forgetSearches(whose); };
export const noteLeaving = () => attempt(() => sessionStorage.setItem(LEAVING, account));

// What this account, or whoever is not logged in, has searched for lately, the last first.
export function recentSearches() {
  const found = attempt((storage) => JSON.parse(storage.getItem(`searches:${account ?? ""}`)));
  return Array.isArray(found) ? found.filter((words) => typeof words === "string") : [];
}
export const keepSearches = (searches) => attempt((storage) => storage.setItem(`searches:${account ?? ""}`, JSON.stringify(searches)));

export function stored(key) {
  const raw = attempt((storage) => storage.getItem(key));
  try { return { key, raw, ...JSON.parse(raw) }; } catch { return { key, raw }; }
}

// ---- On every page: the drafts of an account that is gone, those that are old or broken, and what was just posted

const leaving = attempt(() => sessionStorage.getItem(LEAVING));
if (leaving && !account) forgetAll(leaving);
attempt(() => sessionStorage.removeItem(LEAVING));

// Before 0.2 each version of a post had drafts of its own, which nobody found again once there was another.
for (const key of keys()) {
  const [, place, version, page] = key.match(/^(draft:[^:]+:edit-\d+)-(\d+)(:.+)$/) ?? [];
  if (!place) continue;
  const { values, images, at } = stored(key);
  attempt((storage) => storage.setItem(place + page, JSON.stringify({ at, values, images, version })));
  remove(key);
}

const isStale = ({ at, values, images = [] }) => Object(values) !== values || !Array.isArray(images) || !(at > Date.now() - A_MONTH);
keys().filter((key) => isStale(stored(key)) || (posted && key.endsWith(`:${posted}`))).forEach(remove);
