// Arrows for the best moves that lead from one place to another. This module knows no game.

import {makeSvg} from "./elements.js";
import {pointOf} from "./motion.js";

const MOST = 3;

/** Draw arrows for the best of these moves, [{move}], the best one broadest; moves that only put something have none. */
export function drawArrows(board, lines, qualities) {
  board.element.querySelector(".arrows")?.remove();
  const drawn = lines.slice(0, MOST).map(({move}, rank) => arrow(board, move, rank, qualities[move])).filter(Boolean);
  if (drawn.length) board.element.querySelector(".whole").append(makeSvg("g", {class: "arrows", "aria-hidden": "true"}, ...drawn.reverse()));
}

function arrow(board, move, rank, quality) {
  const place = board.places.find((one) => one.dataset.move === move);
  const walker = place?.dataset.from && board.element.querySelector(`[data-motion][data-from="${place.dataset.from}"]`);
  if (!walker) return null;
  const [[x, y], [u, v]] = [pointOf(walker), board.targetOf(place)];
  const length = Math.hypot(u - x, v - y);
  if (length < 1) return null;
  const [dx, dy] = [(u - x) / length, (v - y) / length];
  const wide = 9 - 2.5 * rank;
  const [tip, neck] = [length - 6, length - 6 - 2.2 * wide];
  const at = (along, aside) => `${(x + dx * along - dy * aside).toFixed(1)},${(y + dy * along + dx * aside).toFixed(1)}`;
  const points = [at(10, wide / 2), at(neck, wide / 2), at(neck, 1.3 * wide), at(tip, 0), at(neck, -1.3 * wide), at(neck, -wide / 2), at(10, -wide / 2)];
  return makeSvg("polygon", {points: points.join(" "), class: `arrow ${quality}`});
}
