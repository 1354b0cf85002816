// Tells the user when a script of the page fails. This is the first script of every page, and it needs no other.

const notice = document.getElementById("notice");

function show(reason) {
  notice.textContent = `${notice.dataset.fault} (${reason})`;
  notice.hidden = false;
}

window.addEventListener("error", (event) => {
  if (event.target instanceof HTMLScriptElement) show(event.target.src);
  else if (event.message && !event.message.startsWith("ResizeObserver")) show(event.message); // those are harmless
}, true);
window.addEventListener("unhandledrejection", (event) => show(event.reason?.message ?? event.reason));
