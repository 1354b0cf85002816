// The clocks of a game: `10` stands for ten minutes, `3+2` for three minutes and two more seconds for each move.

export class Clocks {
  /** `text` is from the address, `left` the seconds of both players if the game goes on. out(player) is called when time is up. */
  constructor(text, left, out) {
    const [minutes, more] = (text || "").split("+").map(Number);
    this.runs = Number.isFinite(minutes) && minutes > 0;
    this.more = more || 0;
    this.left = left ?? [60 * minutes, 60 * minutes];
    this.out = out;
    this.player = null;
    if (this.runs) this.draw();
  }

  /** Let the clock of this player run (1 or 2), or none (null). */
  turn(player) {
    if (!this.runs) return;
    this.stop();
    this.player = player;
    this.since = performance.now();
    if (player) this.timer = setInterval(() => this.tick(), 200);
    this.draw();
  }

  /** Add the seconds that a player gets for a move. */
  moved(player) {
    if (!this.runs) return;
    this.stop();
    this.left[player - 1] += this.more;
  }

  stop() {
    clearInterval(this.timer);
    if (this.player) this.left[this.player - 1] = this.now(this.player);
    this.player = null;
  }

  now(player) {
    const spent = player === this.player ? (performance.now() - this.since) / 1000 : 0;
    return Math.max(0, this.left[player - 1] - spent);
  }

  tick() {
    this.draw();
    if (this.now(this.player) <= 0) {
      const late = this.player;
      this.stop();
      this.draw();
      this.out(late);
    }
  }

  draw() {
    for (const player of [1, 2]) {
      const face = document.querySelector(`#seat-${player} .clock`);
      const seconds = this.now(player);
      face.hidden = false;
      face.textContent = seconds < 20
        ? seconds.toFixed(1)
        : `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
      face.classList.toggle("late", seconds < 20);
    }
  }
}
