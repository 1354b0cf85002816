// The chances over a game, as a picture one can click: the upper half is player 1's.

import {makeSvg} from "./elements.js";
import {t} from "./language.js";

const WIDTH = 320;
const HEIGHT = 90;

/** points: [{ply, chance, word, exact}] as far as known; the line is dashed where they are estimates. go(ply) when a place is clicked. */
export function drawGraph(box, {points, plies, at, players}, go) {
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
    const box = picture.getBoundingClientRect();
    const share = ((event.clientX - box.x) / box.width) * (WIDTH + 12) - 6;
    go(Math.max(0, Math.min(plies, Math.round((share / WIDTH) * plies))));
  });
  box.replaceChildren(picture);
}

/** [first, last, kind] of each stretch of points that are all solved or all estimated; a step between both is estimated. */
function stretches(points) {
  const found = [];
  for (let end = 1; end < points.length; end += 1) {
    const kind = points[end - 1].exact && points[end].exact ? "solved" : "estimated";
    if (found.at(-1)?.[2] === kind) found.at(-1)[1] = end;
    else found.push([end - 1, end, kind]);
  }
  return found;
}
