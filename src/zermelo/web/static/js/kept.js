// Which saved game this tab plays: so that a game that is looked at elsewhere and then continued stays one game.

/** A random id. (crypto.randomUUID exists only where the page came encrypted or from this machine.) */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const KEY = "zermelo-game";
const nameOf = (view, players) => JSON.stringify([view.line.split("/").slice(0, 2), view.start, players]);

/** Note the game that is being played in this tab. */
export function store(game, view, players) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({name: nameOf(view, players), moves: view.moves, id: game.id, log: game.log, kept: game.kept}));
  } catch {
    // no room, or not allowed: the next visit begins a new entry
  }
}

/** Id and log of the game of this tab, if the one shown continues it; otherwise nothing. */
export function recall(view, players) {
  try {
    const {name, moves, id, log, kept} = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
    const continues = name === nameOf(view, players) && moves.length <= view.moves.length
      && moves.every((move, place) => move === view.moves[place]);
    return continues && moves.length ? {id, log, kept} : {};
  } catch {
    return {};
  }
}
