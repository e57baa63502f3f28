// The addresses that scripts ask for or lead to. Those in pages come from app/addresses.py, and one test knows both.

export const to = {
  home: "/",
  explore: "/explore",
  search: "/search",
  bookmarks: "/bookmarks",
  compose: "/compose",
  newPosts: "/feed/new",
  images: "/images",
  deleteImage: (id) => `/images/${id}/delete`,
  completions: "/complete",
  logIn: "/login",
  logOut: "/logout",
  deleteAccount: "/settings/delete",
  profiles: "/@", // and a handle
};
