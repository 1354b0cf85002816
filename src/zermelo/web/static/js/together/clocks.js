// The faces of clocks that run on the server. Between two messages this page counts on by itself.

export class ServerClocks {
  constructor() {
    this.clock = null;
    this.timer = 0;
  }

  /** Show clocks as the server describes them, {left: [seconds, seconds], runs: player}, or null if there are none. */
  show(clock) {
    this.stop();
    this.clock = clock;
    this.since = performance.now();
    if (!clock) return;
    this.draw();
    if (clock.runs) this.timer = setInterval(() => this.draw(), 200);
  }

  /** Count no further. */
  stop() {
    clearInterval(this.timer);
  }

  draw() {
    for (const player of [1, 2]) {
      const spent = player === this.clock.runs ? (performance.now() - this.since) / 1000 : 0;
      const seconds = Math.max(0, this.clock.left[player - 1] - spent);
      const face = document.querySelector(`#seat-${player} .clock`);
      face.hidden = false;
      face.textContent = seconds < 20 ? seconds.toFixed(1) : `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
      face.classList.toggle("late", seconds < 20);
    }
  }
}
