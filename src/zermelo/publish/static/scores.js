// Scores in words, as zermelo.scores writes them, and as short marks for a board.

import {t} from "./language.js";

function pointsText(points) {
  const text = `${points >= 0 ? "+" : ""}${points.toFixed(3)}`.replace(/0+$/, "").replace(/\.$/, "");
  return text === "+0" || text === "-0" ? "0" : text;
}

/** `win in 3`, `draw` or points. A solver gives exact points beside the outcome. */
export function scoreText({outcome, plies, points}) {
  if (outcome === 0) return t("draw");
  if (outcome === null || (points && !plies)) return pointsText(points);
  if (!plies) return outcome > 0 ? t("win") : t("loss");
  return outcome > 0 ? t("win in {plies}", {plies}) : t("loss in {plies}", {plies});
}

/** The score in up to five characters, since a mark stands on one place of a board. */
export function scoreMark({outcome, plies, points}) {
  if (outcome && !points) return `${outcome > 0 ? t("W") : t("L")}${plies || ""}`;
  const size = Math.abs(points);
  if (size >= 1000) return `${points > 0 ? "+" : ""}${(points / 1000).toFixed(size >= 10000 ? 0 : 1)}k`;
  return pointsText(Number(points.toFixed(size < 1 ? 2 : size < 100 ? 1 : 0)));
}

/** `best`, `good`, `fair` or `bad`, compared with the best move. If every move loses, none is good. */
export function quality(score, best) {
  if (score.units === best.units) return score.outcome === -1 ? "fair" : "best";
  if (score.outcome === -1 || (best.outcome === 1 && score.outcome !== 1)) return "bad";
  return score.outcome === 1 ? "good" : "fair";
}
