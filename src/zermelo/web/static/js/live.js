// News over a WebSocket, in messages {kind: content}. A lost connection is made again as long as the page is open.

const PAUSES = [300, 700, 1500, 3000, 5000];
const GONE = 4404;

/** Call on[kind](content) for each piece of news, and on.lost(), on.back() and on.gone(reason). Returns a function that ends this. */
export function listen(path, on) {
  let socket = null, failures = 0, ended = false, timer = 0;
  const connect = () => {
    socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`);
    socket.addEventListener("open", () => {
      if (failures) on.back?.();
      failures = 0;
    });
    socket.addEventListener("message", (event) => {
      for (const [kind, content] of Object.entries(JSON.parse(event.data))) on[kind]?.(content);
    });
    socket.addEventListener("close", (event) => {
      if (ended) return;
      if (event.code === GONE) {
        on.gone?.(event.reason);
        return;
      }
      if (!failures) on.lost?.();
      timer = setTimeout(connect, PAUSES[Math.min(failures++, PAUSES.length - 1)]);
    });
  };
  connect();
  return () => {
    ended = true;
    clearTimeout(timer);
    socket.close();
  };
}
