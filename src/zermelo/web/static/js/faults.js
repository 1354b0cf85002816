// A page that fails says so, instead of standing still. The first script of every page; it needs no other.

const notice = document.getElementById("notice");

function show(reason) {
  notice.textContent = `${notice.dataset.fault} (${reason})`;
  notice.hidden = false;
}

window.addEventListener("error", (event) => {
  if (event.target instanceof HTMLScriptElement) show(event.target.src);
  else if (event.message && !event.message.startsWith("ResizeObserver")) show(event.message); // which is harmless
}, true);
window.addEventListener("unhandledrejection", (event) => show(event.reason?.message ?? event.reason));
