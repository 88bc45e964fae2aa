// The strip below the picture: how many bodies are in collision over time, and where contacts were missed.

const INSET = 11; // pixels that half the thumb of the slider needs at either end

class Strip {
  constructor(canvas, tape) {
    Object.assign(this, { canvas, tape, paper: canvas.getContext("2d"), crowds: new Map() });
  }

  // The bars of so many parts, and the highest of all.
  bars(parts) {
    if (!this.crowds.has(parts)) {
      const list = this.tape.crowd(parts);
      this.crowds.clear();
      this.crowds.set(parts, { list, most: list.reduce((a, b) => Math.max(a, b), 0) });
    }
    return this.crowds.get(parts);
  }

  draw(t, colour) {
    const { canvas, paper, tape } = this, { clientWidth: width, clientHeight: height } = canvas;
    const ratio = window.devicePixelRatio || 1, size = [width, height].map(x => Math.max(1, Math.round(x * ratio)));
    if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
    paper.setTransform(ratio, 0, 0, ratio, 0, 0);
    paper.clearRect(0, 0, width, height);
    const wide = Math.max(1, width - 2 * INSET), parts = Math.max(1, Math.min(tape.steps, Math.floor(wide)));
    const { list, most } = this.bars(parts), now = t / tape.end * parts, step = wide / parts, gap = step > 5 ? 1 : 0;
    paper.fillStyle = colour("line");
    paper.fillRect(INSET, height - 1, wide, 1);
    list.forEach((count, k) => {
      if (!count) return;
      const tall = Math.max(2, count / most * (height - 10));
      paper.globalAlpha = k + 1 <= now + 1e-6 ? 1 : 0.4;
      paper.fillStyle = colour("met");
      const [from, to] = [k, k + 1].map(edge => Math.round((INSET + edge * step) * ratio) / ratio);
      paper.fillRect(from, height - tall, to - from - gap, tall);
    });
    paper.globalAlpha = 1;
    for (const { t: time } of tape.missed) this.tick(INSET + time / tape.end * wide, colour);
    paper.fillStyle = colour("ink");
    paper.fillRect(INSET + t / tape.end * wide - 0.75, 0, 1.5, height);
    write("most", most ? `bodies in collision, at most ${most}` : "nothing was in collision");
  }

  // A missed contact: a cross at the upper border, a line below it.
  tick(x, colour) {
    const { paper, canvas } = this;
    Object.assign(paper, { strokeStyle: colour("walk"), lineWidth: 1.8, lineCap: "round" });
    paper.beginPath();
    paper.moveTo(x - 3, 2);
    paper.lineTo(x + 3, 8);
    paper.moveTo(x + 3, 2);
    paper.lineTo(x - 3, 8);
    paper.stroke();
    paper.globalAlpha = 0.5;
    paper.fillStyle = colour("walk");
    paper.fillRect(x - 0.5, 10, 1, canvas.clientHeight - 10);
    paper.globalAlpha = 1;
  }
}
