// Remembers which saved game this tab plays, so that a game stays one game if it is analysed and then continued.

/** A random id. (crypto.randomUUID exists only where the page came encrypted or from this machine.) */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const KEY = "zermelo-game";
const nameOf = (view, players) => JSON.stringify([view.line.split("/").slice(0, 2), view.start, players]);

/** Remember the game that is played in this tab. */
export function store(game, view, players) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({name: nameOf(view, players), moves: view.moves, id: game.id, log: game.log, kept: game.kept}));
  } catch {
    // there is no room, or it is not allowed: the next visit begins a new saved game
  }
}

/** The id and log of this tab's game, if the game that is shown continues it; otherwise an empty object. */
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
