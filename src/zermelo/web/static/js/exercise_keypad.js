// A keypad for fingers: the keyboards of phones offer digits without a minus sign, and never ∞.

import {make} from "./elements.js";
import {t} from "./language.js";

const KEYS = ["1", "2", "3", "4", "5", "−", "delete", "back", "6", "7", "8", "9", "0", "−∞", "∞", "next"];
const SIGNS = {delete: "⌫", back: "◂", next: "▸"};
const NAMES = {delete: t("Delete"), back: t("Previous field"), next: t("Next field"), "−": t("minus"), "∞": t("infinity"), "−∞": t("minus infinity")};
const STEPS = {back: -1, next: 1};

export class Keypad {
  /** on.field(): the field that has the focus, or undefined; on.go(step): to the next field (1) or the previous one (-1). */
  constructor(element, on) {
    this.element = element;
    element.replaceChildren(...KEYS.map((key) => make("button", {type: "button", class: key in STEPS ? "key-step" : null, "data-key": key, "aria-label": NAMES[key] ?? null, text: SIGNS[key] ?? key})));
    element.addEventListener("pointerdown", (event) => event.preventDefault()); // the field keeps the focus
    element.addEventListener("click", (event) => {
      const {key} = event.target.dataset;
      if (key in STEPS) on.go(STEPS[key]);
      else if (key) on.field()?.press?.(key);
    });
  }

  show(isShown) {
    this.element.hidden = !isShown;
    document.body.classList.toggle("with-keypad", isShown);
  }
}
