// The table of a round, or that of the final, which is shown while it is played.

import {notify} from "../api.js";
import {t} from "../language.js";
import {listen} from "../live.js";
import {inPage, ladderTable} from "./table.js";

const SILENCE = 70; // seconds; the server says something every 20
const box = document.getElementById("ladder");

function show(content) {
  if (content.rows?.length) box.replaceChildren(ladderTable(content, box.dataset.badge));
}

show(inPage());
if (box.dataset.live) {
  listen("/api/live", {
    final: show,
    lost: () => notify(t("The connection was lost. Trying again…"), 0),
    back: () => notify(t("Connected again.")),
    gone: (reason) => notify(reason, 0),
  }, SILENCE);
}
