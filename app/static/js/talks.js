// Conversations in one piece: what one answers on Home goes on in the item of its conversation, where it stands.

import { $, $$ } from "./dom.js";

const isPost = ({ dataset }) => dataset.entry === dataset.post; // a repost is no part of how a conversation goes on

// Put a reply below the last post of its conversation; say whether there is any on the page.
export function goOn(card, answered) {
  const posts = $$(`#list [data-conversation="${card.dataset.conversation}"][data-entry]`).filter(isPost);
  const near = posts.find(({ dataset }) => dataset.post === answered) ?? posts[0];
  if (!near) return false;
  const talk = near.closest(".talk") ?? talkOf(near), last = $$("[data-entry]", talk).at(-1);
  talk.setAttribute("aria-label", "Conversation");
  talk.append(turnOf(card, { answersLast: last.dataset.post === answered }));
  return true;
}

function talkOf(post) {
  const talk = document.createElement("div"), line = $(":scope > .left-off", post), focused = $(":focus", post);
  talk.className = "talk";
  talk.setAttribute("role", "article");
  post.before(talk);
  if (line) talk.append(line);
  talk.append(turnOf(post, { answersLast: false }));
  focused?.focus({ preventScroll: true });
  return talk;
}

function turnOf(post, { answersLast }) {
  const turn = document.createElement("div");
  turn.className = answersLast ? "turn turn-answers" : "turn";
  turn.append(post);
  return turn;
}
