// The keys of this browser's seats. A tab prefers its own, so that one browser can hold both seats in two tabs.

const MOST = 50;
const ALL = "zermelo-seats";
const ofTab = (code) => `zermelo-seat-${code}`;

function kept() {
  try {
    return JSON.parse(localStorage.getItem(ALL) ?? "{}");
  } catch {
    return {};
  }
}

/** Keep the key of a seat in the room of this code, also for the time after the browser was closed. */
export function keepSeat(code, key) {
  try {
    sessionStorage.setItem(ofTab(code), key);
    const entries = Object.entries(kept()).filter(([other]) => other !== code);
    localStorage.setItem(ALL, JSON.stringify(Object.fromEntries([...entries, [code, key]].slice(-MOST))));
  } catch {
    // it is not allowed: the seat lasts as long as the page
  }
}

/** The key of this browser's seat in a room, or null. */
export function seatIn(code) {
  try {
    return sessionStorage.getItem(ofTab(code)) ?? kept()[code] ?? null;
  } catch {
    return null;
  }
}

/**
 * What the address brings: {invite}, {seat} or {}. It is removed from the address, so that whoever copies the address
 * from there gives away no seat.
 */
export function fromAddress() {
  const found = /^#(join|seat)-([\w-]+)$/.exec(location.hash);
  if (!found) return {};
  history.replaceState(history.state, "", location.pathname + location.search);
  return found[1] === "join" ? {invite: found[2]} : {seat: found[2]};
}
