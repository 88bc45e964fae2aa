// Words and numbers in a view. They are kept until everything else is drawn, so that nothing is drawn over them.

const FONT = "px system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif";
const ASIDE = [[0, -1], [0, 1], [1, 0], [-1, 0], [1, -1], [-1, -1], [1, 1], [-1, 1], [0, -2], [0, 2], [2, 0], [-2, 0]];
const LEFT = { left: 0, center: 0.5, right: 1 }; // how much of a label is left of its place

class Labels {
  constructor(view) {
    Object.assign(this, { view, list: [] });
  }

  add(label) {
    this.list.push(label);
  }

  // Draws them. The last of several badges at one place stays. Words that would meet others are pushed aside; if there is
  // no space either, `spare` ones are left out. `fixed` ones are never pushed.
  draw() {
    const { width, height, corner } = this.view, occupied = [[...corner, width, height]], kept = [];
    const free = box => !occupied.some(q => box[0] < q[2] && q[0] < box[2] && box[1] < q[3] && q[1] < box[3]);
    const keep = (label, box) => {
      occupied.push(box);
      kept.push({ ...label, box });
    };
    const badges = this.list.filter(label => label.badge), words = this.list.filter(label => !label.badge);
    badges.reverse().forEach(({ at: [x, y], ...label }) => {
      const box = [x - 8, y - 8, x + 8, y + 8];
      if (free(box) || (x > corner[0] && y > corner[1])) keep({ at: [x, y], ...label }, box);
    });
    for (const label of [...words.filter(w => !w.spare), ...words.filter(w => w.spare)]) {
      const same = ({ words, colour }) => words === label.words && colour === label.colour;
      if (label.spare && !label.fixed && kept.some(same)) continue;
      const boxes = this.candidates(label), good = boxes.find(free);
      if (good || (boxes.length && !label.spare)) keep(label, good || boxes[0]);
    }
    for (const label of kept.reverse()) label.badge ? this.badge(label) : this.words(label);
    this.list = [];
  }

  // The boxes that a label may cover, the best first: left, top, right, bottom. None if its place is far out of sight.
  candidates({ at, words, align, weight, size, fixed }) {
    const { paper, width, height } = this.view;
    paper.font = weight + " " + size + FONT;
    const long = paper.measureText(words).width, left = long * LEFT[align];
    const boxAt = (dx, dy) => {
      const x = Math.min(Math.max(at[0] - left + dx, 6), Math.max(6, width - long - 6));
      const y = Math.min(Math.max(at[1] + dy, 16), height - 8);
      return [x, y - size * 0.8, x + long, y + size * 0.2];
    };
    const own = boxAt(0, 0);
    if (Math.hypot(own[0] + left - at[0], own[1] + size * 0.8 - at[1]) > 160) return [];
    if (fixed) return [own];
    const [w, h] = [long * 0.75 + 4, size * 1.1];
    return [own, ...ASIDE.map(([x, y]) => boxAt(x * w, y * h))];
  }

  words({ box: [x, top], words, colour, weight, size }) {
    const paper = this.view.paper, y = top + size * 0.8;
    Object.assign(paper, { font: weight + " " + size + FONT, lineWidth: 4, lineJoin: "round",
      strokeStyle: this.view.colour("paper"), fillStyle: this.view.colour(colour), textAlign: "left",
      textBaseline: "alphabetic" });
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
