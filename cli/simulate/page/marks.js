// The marks over the picture: the axes or the numbers of the grid, first contact points while they are
// fresh, contacts that were missed, and which body is chosen.

const FONT = "px system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif";
const TURN = 2 * Math.PI, SMALL = { size: 12, weight: 400 };

// A round number (1, 2 or 5 and a power of ten) not below x.
function round(x) {
  const power = Math.pow(10, Math.floor(Math.log10(x)));
  return power * ([1, 2, 5].find(k => k * power >= x * (1 - 1e-9)) || 10);
}

class Marks {
  constructor(canvas, tape, scene, eye) {
    Object.assign(this, { canvas, tape, scene, eye, paper: canvas.getContext("2d"), contacts: true });
  }

  // `colour(name)` is one of the style; `ratio` is the pixels of the device in one of the page. On paper the picture
  // itself is drawn here, too: what WebGL drew would not be printed.
  draw(colour, ratio, still) {
    const { canvas, eye, paper } = this, size = [eye.width, eye.height].map(x => Math.max(1, Math.round(x * ratio)));
    if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
    Object.assign(this, { colour });
    paper.setTransform(ratio, 0, 0, ratio, 0, 0);
    paper.clearRect(0, 0, eye.width, eye.height);
    if (still) paper.drawImage(still, 0, 0, eye.width, eye.height);
    Object.assign(paper, { lineCap: "round", lineJoin: "round" });
    this.tape.dim === 3 ? this.triad() : this.numbers();
    if (this.contacts) this.touches();
    for (const missed of this.scene.missing) this.miss(missed);
    if (this.scene.chosen >= 0) this.choice(this.scene.chosen);
  }

  // A stroke along screen points, on a wider one of the paper's colour.
  stroke(points, name, wide, halo = 2) {
    const path = new Path2D();
    points.forEach(([x, y], i) => path[i ? "lineTo" : "moveTo"](x, y));
    this.ink(name, wide, halo, path);
  }

  ring(x, y, radius, name, wide, halo = 2) {
    const path = new Path2D();
    path.arc(x, y, radius, 0, TURN);
    this.ink(name, wide, halo, path);
  }

  ink(name, wide, halo, path) {
    for (const [colour, width] of [["paper", wide + halo], [name, wide]]) {
      if (!width || (colour === "paper" && !halo)) continue;
      Object.assign(this.paper, { strokeStyle: this.colour(colour), lineWidth: width });
      this.paper.stroke(path);
    }
  }

  // The place of words about x that no border cuts.
  within(text, x, { size, weight }) {
    this.paper.font = weight + " " + size + FONT;
    const half = this.paper.measureText(text).width / 2 + 4, { width } = this.eye;
    return Math.max(half, Math.min(width - half, x));
  }

  words(text, x, y, name, { size = 12, weight = 400, align = "center" } = {}) {
    const { paper } = this;
    Object.assign(paper, { font: weight + " " + size + FONT, textAlign: align, textBaseline: "alphabetic", lineWidth: 4,
      strokeStyle: this.colour("paper"), fillStyle: this.colour(name) });
    paper.strokeText(text, x, y);
    paper.fillText(text, x, y);
  }

  triad() {
    const { eye } = this, foot = [34, eye.height - 34];
    ["x", "y", "z"].forEach((name, i) => {
      const axis = [eye.right[i], -eye.up[i]];
      this.stroke([foot, [foot[0] + 20 * axis[0], foot[1] + 20 * axis[1]]], "c", 1.5);
      this.words(name, foot[0] + 28 * axis[0], foot[1] + 28 * axis[1] + 4, "c");
    });
  }

  // The numbers of the 2D grid, at the lower and the left border; none that a border cuts, in the corner the lower ones.
  numbers() {
    const { eye, tape, scene } = this, { cell } = scene, middle = tape.outer(eye.target);
    const pixels = eye.scale / tape.size;
    [0, 1].forEach(axis => {
      const half = [eye.width, eye.height][axis] / 2 / pixels, first = Math.ceil((middle[axis] - half) / cell);
      if (!(Math.abs(first) < 1e13)) return;
      for (let k = first; k * cell <= middle[axis] + half; k++) {
        const at = (k * cell - middle[axis]) * pixels, digits = 2 + Math.floor(Math.log10(Math.max(1, Math.abs(k))));
        const text = decimal(k * cell, digits), x = eye.width / 2 + at, y = eye.height / 2 - at;
        if (axis === 0 && this.within(text, x, SMALL) === x) this.words(text, x, eye.height - 7, "c");
        if (axis === 1 && y > 9 && y < eye.height - 28) this.words(text, 7, y + 4, "c", { align: "left" });
      }
    });
  }

  // First contact points: a ripple while they are fresh, a point and its normal; pale where a body stands before it.
  // All of about one age are drawn together.
  touches() {
    const { tape, scene, paper } = this, { contacts, contactTimes, flash } = tape, ages = 8;
    const fresh = contacts.slice(after(contactTimes, scene.t - flash), tape.reached(contactTimes, scene.t));
    const list = fresh.filter(contact => contact.at).map(contact => {
      const place = tape.inner(contact.at);
      return { ...contact, place, seen: this.eye.at(place) };
    }).filter(this.inSight, this);
    if (tape.dim === 3) scene.hide(this.eye, list);
    const spacing = Math.sqrt(this.eye.width * this.eye.height / list.length);
    const size = Math.max(0.35, Math.min(1, spacing / 110)); // of many, each is small
    for (let part = 0, k = 0; part < ages && k < list.length; part++) {
      const old = 1 - (part + 0.5) / ages;
      const until = part < ages - 1 ? scene.t - flash * (1 - (part + 1) / ages) : Infinity;
      const [before, behind] = [0, 1].map(() => ({ ticks: new Path2D(), dots: new Path2D(), rings: new Path2D() }));
      for (; k < list.length && list[k].t <= until; k++) {
        this.touch(list[k], size, old, list[k].hidden ? behind : before);
      }
      this.inkTouches(behind, size, (1 - old * old) * 0.22, 0);
      this.inkTouches(before, size, 1 - old * old, size > 0.7 ? (1 - old) ** 2 : 0);
    }
    paper.globalAlpha = 1;
  }

  inkTouches({ ticks, dots, rings }, size, strength, ripples) {
    const { paper } = this;
    Object.assign(paper, { globalAlpha: strength, fillStyle: this.colour("ink") });
    this.ink("ink", 1.8 * size, 2 * size, ticks);
    this.ink("ink", 0, 3 * size, dots);
    paper.fill(dots);
    paper.globalAlpha = ripples;
    if (ripples) this.ink("ink", 1.5, 0, rings);
  }

  inSight({ seen }) {
    return seen && seen[0] > -20 && seen[0] < this.eye.width + 20 && seen[1] > -20 && seen[1] < this.eye.height + 20;
  }

  touch({ t, seen: [x, y], normal }, size, old, { ticks, dots, rings }) {
    const { eye, tape } = this, n = unit(normal), ripple = 5 + 13 * Math.max(0, (this.scene.t - t) / tape.flash);
    if (n) {
      const long = size * (16 - 7 * old), u = long * dot(n, eye.right), v = -long * dot(n, eye.up);
      ticks.moveTo(x - u, y - v);
      ticks.lineTo(x + u, y + v);
    }
    dots.moveTo(x + 3.6 * size, y);
    dots.arc(x, y, 3.6 * size, 0, TURN);
    rings.moveTo(x + ripple, y);
    rings.arc(x, y, ripple, 0, TURN);
  }

  // A contact that was missed: a cross in a ring on the smaller of the two bodies.
  miss({ t, a, b }) {
    const { scene, eye, tape, paper } = this, small = scene.shape(a).radius <= scene.shape(b).radius ? a : b;
    const seen = scene.there[small] && eye.at(scene.middle(small));
    if (!seen) return;
    const [x, y] = seen, age = Math.max(0, (scene.t - t) / tape.flash / 2);
    paper.globalAlpha = Math.min(1, 2 * (1 - age));
    this.ring(x, y, 11, "walk", 2.2);
    for (const side of [-1, 1]) this.stroke([[x - 5, y - 5 * side], [x + 5, y + 5 * side]], "walk", 2.2);
    this.words("missed", x, y - 17, "walk", { size: 13, weight: 600 });
    paper.globalAlpha = 1;
  }

  choice(i) {
    const { scene, eye, tape } = this, seen = scene.there[i] && eye.at(scene.middle(i));
    if (!seen) return;
    const [x, y, scale] = seen, radius = Math.max(12, scene.shape(i).radius * scale + 5);
    const most = Math.min(eye.width, eye.height) / 2;
    if (radius < 48) this.ring(x, y, radius, "a", 1.6, 1.5);
    const up = y - Math.min(radius, most) - 8, down = y + Math.min(radius, most) + 18;
    const name = tape.names[i], style = { size: 14, weight: 600 };
    const at = up >= 16 ? up : down < eye.height - 8 ? down : 18;
    this.words(name, this.within(name, x, style), at, "a", style);
  }
}
