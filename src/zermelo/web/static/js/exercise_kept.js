// Keeps the answers to exercises in the browser, so that a reload loses nothing.

const PREFIX = "zermelo-exercise ";
const MOST_KEPT = 300;

/** What is kept of an exercise ({answers, points, most, isSeen, at}), or null. */
export function recall(name) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name));
  } catch {
    return null; // storage is not allowed, or holds something else
  }
}

/** Keep an exercise. Where there is no room, the answers are lost at a reload. */
export function keep(name, what) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify({...what, at: Date.now()}));
    const names = keptNames();
    if (names.length <= MOST_KEPT) return;
    names.sort((one, other) => (recall(one)?.at ?? 0) - (recall(other)?.at ?? 0));
    for (const old of names.slice(0, names.length - MOST_KEPT)) forget(old);
  } catch {
    // storage is full, or not allowed
  }
}

export function forget(name) {
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    // then nothing was kept either
  }
}

/** The names of all exercises that are kept. */
export function keptNames() {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX)).map((key) => key.slice(PREFIX.length));
  } catch {
    return [];
  }
}
