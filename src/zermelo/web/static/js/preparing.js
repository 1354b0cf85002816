// A bar that shows how far the code of a player has been compiled. Until it is there, a small search plays for it.

import {get} from "./api.js";

const EVERY = 700; // milliseconds

/** Show the bar until all these players are ready. `line` is the game, and `shares` is how far they are already. */
export async function showPreparing(box, line, players, shares) {
  const bar = box.querySelector("progress");
  const waiting = new Map(players.map((player, place) => [player, shares[place]]).filter(([, share]) => share < 1));
  while (waiting.size) {
    bar.value = Math.min(...waiting.values());
    box.hidden = false;
    await new Promise((resolve) => setTimeout(resolve, EVERY));
    for (const player of [...waiting.keys()]) {
      const share = (await get("/api/preparing", {...line, player}).catch(() => null))?.share;
      if (share >= 1) waiting.delete(player);
      else if (share !== undefined) waiting.set(player, share);
    }
  }
  box.hidden = true;
}
