// The page that shows a personal link: a button copies it.

import {notify} from "../api.js";
import {copy} from "../copying.js";
import {t} from "../language.js";

const button = document.getElementById("copy");
button.hidden = false;
button.addEventListener("click", async () => {
  const done = await copy(document.getElementById("link").value);
  notify(done ? t("The link was copied.") : t("The link cannot be copied here. Select it, and copy it by hand."));
});
