// The table of a round or of the final.

import {inPage, ladderTable} from "./table.js";

const box = document.getElementById("ladder");
box.replaceChildren(ladderTable(inPage(), box.dataset.badge));
