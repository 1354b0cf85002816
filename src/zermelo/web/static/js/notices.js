// Messages at the foot of the page.

/**
 * Show a message at the foot of the page, for screen readers too; null removes it. act, {label, run}, adds a button.
 */
export function notify(text, seconds = 6, act = null) {
  const notice = document.getElementById("notice");
  clearTimeout(notify.timer);
  notice.hidden = !text;
  notice.textContent = text ?? "";
  if (act) {
    const button = document.createElement("button");
    button.className = "small";
    button.textContent = act.label;
    button.addEventListener("click", act.run);
    notice.append(" ", button);
  }
  if (text && seconds) notify.timer = setTimeout(() => notify(null), 1000 * seconds);
}
