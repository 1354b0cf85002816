// Scores in words, and as short marks for a board, as zermelo.scores writes them.

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

/** The score in up to six characters. */
export function scoreMark({outcome, plies, points}) {
  if (outcome && !points) return `${outcome > 0 ? t("W") : t("L")}${plies || ""}`;
  const size = Math.abs(points);
  if (size >= 1000) return `${points > 0 ? "+" : ""}${(points / 1000).toFixed(size >= 10000 ? 0 : 1)}k`;
  return pointsText(size < 10 ? points : Math.round(10 * points) / 10);
}

/** `best`, `good`, `fair` or `bad`, compared with the best move. If every move loses, none is good. */
export function quality(score, best) {
  if (score.units === best.units) return score.outcome === -1 ? "fair" : "best";
  if (score.outcome === -1 || (best.outcome === 1 && score.outcome !== 1)) return "bad";
  return score.outcome === 1 ? "good" : "fair";
}
