// News over a WebSocket, in messages {kind: content}. A lost connection is made again as long as the page is open.

const PAUSES = [300, 700, 1500, 3000, 5000, 10000, 20000];
const GONE = 4404;

/** The time until the next try. It differs from page to page, so that a whole class does not come back at once. */
const pause = (failures) => PAUSES[Math.min(failures, PAUSES.length - 1)] * (0.8 + 0.4 * Math.random());

/**
 * Call on[kind](content) for each piece of news, and on.open(send), on.lost(), on.back() and on.gone(reason). If `silence` is given, a
 * connection on which nothing arrives for so many seconds counts as lost. Returns a function that ends this.
 */
export function listen(path, on, silence = null) {
  let socket = null, failures = 0, ended = false, timer = 0, quiet = 0;
  const heard = () => {
    clearTimeout(quiet);
    if (silence !== null) quiet = setTimeout(() => socket.close(), 1000 * silence);
  };
  const connect = () => {
    socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`);
    socket.addEventListener("open", () => {
      if (failures) on.back?.();
      failures = 0;
      on.open?.((message) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(message)));
      heard();
    });
    socket.addEventListener("message", (event) => {
      heard();
      for (const [kind, content] of Object.entries(JSON.parse(event.data))) on[kind]?.(content);
    });
    socket.addEventListener("close", (event) => {
      clearTimeout(quiet);
      if (ended) return;
      if (event.code === GONE) {
        on.gone?.(event.reason);
        return;
      }
      if (!failures) on.lost?.();
      timer = setTimeout(connect, pause(failures++));
    });
  };
  connect();
  return () => {
    ended = true;
    clearTimeout(timer);
    clearTimeout(quiet);
    socket.close();
  };
}
