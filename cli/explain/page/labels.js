// Words and numbers in a view. They are kept until everything else is drawn, so that nothing is drawn over them.

const FONT = "px system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif";
const LEFT = { left: 0, center: 0.5, right: 1 }; // how much of a label is left of its place

class Labels {
  constructor(view) {
    Object.assign(this, { view, list: [] });
  }

  add(label) {
    this.list.push(label);
  }

  // Draws them. Of badges at one place the last stays; words that are `spare` are left out where they would meet
  // others.
  draw() {
    const kept = [], taken = [];
    const meet = (p, q) => p[0] < q[2] && q[0] < p[2] && p[1] < q[3] && q[1] < p[3];
    const keep = (label, always) => {
      const box = this.room(label);
      if (!always && taken.some(other => meet(box, other))) return;
      taken.push(box);
      kept.push(label);
    };
    const words = this.list.filter(label => !label.badge);
    words.filter(label => !label.spare).forEach(label => keep(label, true));
    this.list.filter(label => label.badge).reverse().forEach(label => keep(label, false));
    words.filter(label => label.spare).forEach(label => keep(label, false));
    for (const label of kept.reverse()) label.badge ? this.badge(label) : this.words(label);
    this.list = [];
  }

  // What a label covers, about: left, top, right, bottom.
  room({ at: [x, y], badge, words, align, size }) {
    if (badge) return [x - 8, y - 8, x + 8, y + 8];
    const width = words.length * size * 0.62, left = x - width * LEFT[align];
    return [left, y - size * 0.8, left + width, y + size * 0.2];
  }

  words({ at, words, colour, align, weight, size }) {
    const { paper, width, height } = this.view;
    paper.font = weight + " " + size + FONT;
    const long = paper.measureText(words).width, left = long * LEFT[align];
    const x = Math.min(Math.max(at[0] - left, 6), Math.max(6, width - long - 6));
    const y = Math.min(Math.max(at[1], 16), height - 8);
    if (Math.hypot(x + left - at[0], y - at[1]) > 160) return; // the place itself is far out of sight
    Object.assign(paper, { lineWidth: 4, lineJoin: "round", strokeStyle: this.view.colour("paper"),
      fillStyle: this.view.colour(colour), textAlign: "left", textBaseline: "alphabetic" });
    paper.strokeText(words, x, y);
    paper.fillText(words, x, y);
  }

  badge({ at: [x, y], words, colour, strong }) {
    const paper = this.view.paper, [inside, border] = strong ? [colour, "paper"] : ["paper", colour];
    paper.font = "600 12" + FONT;
    const half = Math.max(9, paper.measureText(words).width / 2 + 5);
    paper.beginPath();
    if (paper.roundRect) paper.roundRect(x - half, y - 9, 2 * half, 18, 9);
    else paper.rect(x - half, y - 9, 2 * half, 18);
    Object.assign(paper, { fillStyle: this.view.colour(inside), strokeStyle: this.view.colour(border), lineWidth: 1.5,
      textAlign: "center", textBaseline: "middle" });
    paper.fill();
    paper.stroke();
    paper.fillStyle = this.view.colour(border);
    paper.fillText(words, x, y + 0.5);
  }
}
