// Sounds, made by the browser itself and off until the visitor wants them.

const KEY = "zermelo-sounds";
let wanted = false;
let audio = null;

/** Let a checkbox turn the sounds on and off; the browser remembers it. */
export function prepareSounds(box) {
  try {
    wanted = localStorage.getItem(KEY) === "yes";
  } catch {
    // nothing is remembered: they stay off
  }
  box.checked = wanted;
  box.addEventListener("change", () => {
    wanted = box.checked;
    try {
      localStorage.setItem(KEY, wanted ? "yes" : "no");
    } catch {
      // it is not allowed
    }
    sound("own");
  });
}

const NOTES = {own: [[320, 0, 0.05]], move: [[240, 0, 0.06]], end: [[392, 0, 0.16], [523, 0.14, 0.16], [659, 0.28, 0.3]]};

/** A knock for a move, `own` or the other player's, or three notes for the `end`. Each note is [hertz, seconds until it, seconds]. */
export function sound(name) {
  if (!wanted || !window.AudioContext) return;
  audio ??= new AudioContext();
  for (const [pitch, after, length] of NOTES[name]) {
    const [begin, note, volume] = [audio.currentTime + after, audio.createOscillator(), audio.createGain()];
    note.type = "triangle";
    note.frequency.setValueAtTime(pitch, begin);
    volume.gain.setValueAtTime(0.2, begin);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + length);
    note.connect(volume).connect(audio.destination);
    note.start(begin);
    note.stop(begin + length);
  }
}
