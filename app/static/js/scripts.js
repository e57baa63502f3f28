// The server is told that this browser runs scripts: then a page that is opened does not count as seen by itself.

export const wasKnown = /(^|; )scripts=/.test(document.cookie);
document.cookie = "scripts=on; path=/; samesite=lax";
