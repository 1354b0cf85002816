// The winning chances over a game, as a picture that can be clicked. In the upper half, player 1 is ahead.

import {makeSvg} from "./elements.js";
import {t} from "./language.js";

const HEIGHT = 62;

/** Draw the points that are known, [{ply, chance, word, exact}]. The line is dashed where they are estimates. A click calls go(ply). */
export function drawGraph(box, {points, plies, at, players}, go) {
  const WIDTH = box.clientWidth || 640;
  const x = (ply) => (plies ? (WIDTH * ply) / plies : WIDTH / 2);
  const y = (chance) => 6 + (HEIGHT - 12) * (1 - chance);
  const known = points.filter(Boolean);
  const line = known.map((point) => `${x(point.ply).toFixed(1)},${y(point.chance).toFixed(1)}`);
  const parts = [makeSvg("line", {x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2, class: "graph-middle"})];
  if (known.length > 1) {
    const area = `M${x(known[0].ply)},${HEIGHT / 2}L${line.join("L")}L${x(known.at(-1).ply)},${HEIGHT / 2}Z`;
    parts.push(makeSvg("path", {d: area, class: "graph-area"}));
    for (const [start, end, kind] of stretches(known)) {
      parts.push(makeSvg("polyline", {points: line.slice(start, end + 1).join(" "), class: `graph-line ${kind}`}));
    }
  }
  parts.push(makeSvg("line", {x1: x(at), x2: x(at), y1: 0, y2: HEIGHT, class: "graph-now"}));
  for (const point of known) {
    if (point.word) parts.push(makeSvg("circle", {cx: x(point.ply), cy: y(point.chance), r: 4, class: `graph-${point.word}`}));
  }
  const label = t("Winning chances of {player} over the game. Use the list of moves to go to a position.", {player: t(players[0])});
  const picture = makeSvg("svg", {viewBox: `-6 0 ${WIDTH + 12} ${HEIGHT}`, role: "img", "aria-label": label}, ...parts);
  picture.addEventListener("click", (event) => {
    const frame = picture.getBoundingClientRect();
    const share = ((event.clientX - frame.x) / frame.width) * (WIDTH + 12) - 6;
    go(Math.max(0, Math.min(plies, Math.round((share / WIDTH) * plies))));
  });
  box.replaceChildren(picture);
}

/** [first, last, kind] of each stretch of points that are all solved or all estimated. A step from one kind to the other is estimated. */
function stretches(points) {
  const found = [];
  for (let end = 1; end < points.length; end += 1) {
    const kind = points[end - 1].exact && points[end].exact ? "solved" : "estimated";
    if (found.at(-1)?.[2] === kind) found.at(-1)[1] = end;
    else found.push([end - 1, end, kind]);
  }
  return found;
}
