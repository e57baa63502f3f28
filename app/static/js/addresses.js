// The addresses that scripts ask for or lead to. Those in pages come from app/addresses.py, and one test knows both.

export const to = {
  home: "/",
  explore: "/explore",
  search: "/search",
  suggestions: "/search/suggestions",
  actions: "/posts/actions",
  bookmarks: "/bookmarks",
  compose: "/compose",
  drafts: "/drafts",
  edit: (id) => `/posts/${id}/edit`,
  why: (id) => `/posts/${id}/why`,
  newPosts: "/feed/new",
  seen: "/feed/seen",
  images: "/images",
  deleteImage: (id) => `/images/${id}/delete`,
  completions: "/complete",
  checkHandle: "/signup/handle",
  logIn: "/login",
  askPasskey: "/login/passkey/ask",
  logOut: "/logout",
  deleteAccount: "/settings/delete",
  guessTimeZone: "/settings/time-zone/guess",
  profiles: "/@", // and a handle
};

// As `undo` in app/addresses.py: what takes back what the address does, and the other way round.
export const undoing = (address) => `${address}/delete`;
export const doing = (address) => address.replace(/\/delete$/, "");
