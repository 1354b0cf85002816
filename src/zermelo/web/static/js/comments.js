// Comments on positions of a game. They are kept in this browser only.

const KEY = "zermelo-comments";
const MOST = 500; // comments that are kept; the oldest are dropped

function all() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}

/** A position of a line: the game, its set-up, where it began, and the moves up to here. */
const nameOf = (view, at) => JSON.stringify([view.line.split("/").slice(0, 2), view.start, view.moves.slice(0, at)]);

/** The comment on the position after `at` moves; empty if there is none. */
export const commentOn = (view, at = view.at) => all()[nameOf(view, at)] ?? "";

export function keepComment(view, text) {
  const kept = all();
  delete kept[nameOf(view, view.at)];
  if (text.trim()) kept[nameOf(view, view.at)] = text.trim();
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(Object.entries(kept).slice(-MOST))));
  } catch {
    // there is no room, or it is not allowed
  }
}
