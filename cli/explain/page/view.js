// One drawing: a canvas and what can be drawn on it, seen through its camera.

const PALETTE = ["ink", "paper", "a", "b", "c", "proof", "walk", "line", "open", "met"];
const SMALL = { weight: 400, size: 12, spare: true, fixed: true };
const LIGHT = unit([-0.4, 0.55, 0.75]);

function readPalette() {
  const style = getComputedStyle(document.documentElement), colours = {};
  for (const name of PALETTE) colours[name] = style.getPropertyValue("--" + name).trim();
  return colours;
}

// Between two colours written #rrggbb.
function mix(from, to, t) {
  const part = (colour, i) => parseInt(colour.slice(1 + 2 * i, 3 + 2 * i), 16);
  return "rgb(" + [0, 1, 2].map(i => Math.round(part(from, i) + t * (part(to, i) - part(from, i)))).join(",") + ")";
}

// The fill of a triangle whose corners are lit by so much, evenly in between.
function blend(paper, [p, q, r], lit, shadeOf) {
  const [a, b, c, d] = [q[0] - p[0], q[1] - p[1], r[0] - p[0], r[1] - p[1]], area = a * d - b * c;
  const [u, v] = [lit[1] - lit[0], lit[2] - lit[0]], slope = [(u * d - v * b) / area, (a * v - c * u) / area];
  const steep = slope[0] ** 2 + slope[1] ** 2, low = Math.min(...lit), high = Math.max(...lit);
  const from = [p, q, r][lit.indexOf(low)], to = from.map((x, axis) => x + slope[axis] * (high - low) / steep);
  const even = !(high - low > 0.004) || !(Math.abs(area) > 1e-3) || !to.every(x => Math.abs(x) < 1e6);
  if (even) return shadeOf(low / 2 + high / 2);
  const gradient = paper.createLinearGradient(...from, ...to);
  gradient.addColorStop(0, shadeOf(low));
  gradient.addColorStop(1, shadeOf(high));
  return gradient;
}

class View extends Camera {
  constructor(canvas, dim, turn, changed) {
    super(canvas, dim, turn, changed);
    this.paper = canvas.getContext("2d");
    this.sheet = document.createElement("canvas"); // where what is translucent as a whole is drawn
    this.labels = new Labels(this);
    new Gestures(this);
  }

  // Begins a drawing; at zoom 1 a length of `size` is `base` pixels.
  begin(colours, base) {
    const { clientWidth: width, clientHeight: height } = this.canvas, ratio = window.devicePixelRatio || 1;
    Object.assign(this, { width, height });
    for (const canvas of [this.canvas, this.sheet]) {
      const size = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
      if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
    }
    this.colours = colours;
    this.ratio = ratio;
    this.base = base;
    this.spots = [];
    this.paper.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.paper.clearRect(0, 0, this.width, this.height);
    this.updateAxes();
  }

  colour(name) {
    return this.colours[name] || name;
  }

  // ---- Strokes and fills of screen points
  path(paper, chain, closed) {
    const inside = chain.every(p => Math.abs(p[0]) < 4e3 && Math.abs(p[1]) < 4e3);
    const points = inside ? chain : clip(chain, this.width, this.height);
    paper.beginPath();
    points.forEach((p, i) => paper[i ? "lineTo" : "moveTo"](p[0], p[1]));
    if (closed) paper.closePath();
    return points.length > 0;
  }

  stroke(chain, colour, { width = 2, dash = [], alpha = 1, closed = false } = {}) {
    const paper = this.paper;
    if (!this.path(paper, chain, closed)) return;
    paper.save();
    Object.assign(paper, { strokeStyle: this.colour(colour), lineWidth: width, globalAlpha: alpha, lineJoin: "round",
      lineCap: dash.length ? "butt" : "round" });
    paper.setLineDash(dash);
    paper.stroke();
    paper.restore();
  }

  fillArea(chain, colour, alpha) {
    const paper = this.paper;
    if (!this.path(paper, chain, true)) return;
    paper.save();
    paper.globalAlpha = alpha;
    paper.fillStyle = this.colour(colour);
    paper.fill();
    paper.restore();
  }

  line(p, q, colour, options) {
    this.stroke([this.at(p), this.at(q)], colour, options);
  }

  dot(p, colour, radius = 4.5, hollow = false) {
    const [x, y] = this.at(p), paper = this.paper;
    if (!(Math.abs(x) < 1e5 && Math.abs(y) < 1e5)) return;
    paper.beginPath();
    paper.arc(x, y, radius, 0, 2 * Math.PI);
    paper.fillStyle = this.colour(hollow ? "paper" : colour);
    paper.fill();
    paper.lineWidth = hollow ? 2.5 : 1.5;
    paper.strokeStyle = this.colour(hollow ? colour : "paper");
    paper.stroke();
  }

  // An arrow between places, its head at the second; too short for a head, it is only a stroke.
  arrow(p, q, colour, options = {}) {
    const from = this.at(p), to = this.at(q), length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (!(length > 0.5)) return;
    const e = [(to[0] - from[0]) / length, (to[1] - from[1]) / length], head = Math.min(12, length * 0.6);
    const neck = [to[0] - head * e[0], to[1] - head * e[1]], side = head * 0.46;
    this.stroke([from, neck], colour, { width: 2.5, ...options });
    this.fillArea([to, [neck[0] - side * e[1], neck[1] + side * e[0]], [neck[0] + side * e[1], neck[1] - side * e[0]]],
      colour, 1);
  }

  // The text beside the stroke from p to q.
  measure(p, q, words) {
    const [x, y] = this.at(p), [u, v] = this.at(q), length = Math.hypot(u - x, v - y);
    const side = length > 1 ? [-(v - y) / length, (u - x) / length] : [0, 1], down = side[1] < 0 ? -1 : 1;
    const align = Math.abs(side[0]) < 0.4 ? "center" : side[0] * down > 0 ? "left" : "right";
    const move = [14 * side[0] * down, 18 * side[1] * down + 5];
    this.text([(x + u) / 2, (y + v) / 2], words, "proof", { move, align });
  }

  // ---- Words, at places of the canvas; `spare` ones are left out where they would meet others
  text(at, words, colour, { move = [0, 0], align = "center", ...rest } = {}) {
    this.labels.add({ at: [at[0] + move[0], at[1] + move[1]], words, colour, align, weight: 600, size: 15, ...rest });
  }

  badge(p, words, strong = true) {
    this.labels.add({ at: this.at(p), words, colour: "walk", strong, badge: true });
  }

  // ---- Shapes
  // A convex set: what faces the viewer is shaded, translucent as one; edges behind are faint.
  mesh(mesh, colour, { alpha = 0.5, move = [0, 0, 0], faint = false, dash = [] } = {}) {
    if (!mesh) return;
    if (mesh.plane) return this.halfSpace(mesh, colour, faint);
    const places = mesh.points.map(p => this.at(add(p, move)));
    const line = { width: faint ? 1.2 : 2, alpha: faint ? 0.5 : 1, dash };
    if (places.length === 1) return this.dot(add(mesh.points[0], move), colour, 5);
    if (this.dim === 2 || !mesh.triangles.length) {
      if (places.length > 2) this.fillArea(places, colour, faint ? 0.06 : alpha * 0.36);
      return this.stroke(places, colour, { ...line, width: places.length > 2 ? line.width : 3.5,
        closed: places.length > 2 });
    }
    this.solid(mesh, places, colour, { alpha, line, faint, move });
  }

  // The outline of what a smooth mesh stands for.
  curve(mesh, places, move) {
    const points = contour(mesh, this.toward, p => this.inner(add(p, move))).map(({ at, normal }) =>
      [...this.place(at), ...this.flat(normal), -1]);
    places.forEach((p, i) => {
      const n = mesh.at[i];
      if (!n) points.push([...p, NaN, NaN, i]);
      else if (Math.abs(dot(n, this.toward)) < 0.03) points.push([...p, ...this.flat(n), i]);
    });
    const rim = (i, j) => (mesh.rims[i] && mesh.rims[i].list.includes(j) ? this.edge(mesh, places, [i, j]) : null);
    return points.length > 2 ? rounded(outline(points), rim) : outline(places);
  }

  // A direction as it is seen.
  flat(d) {
    return [dot(d, this.right), -dot(d, this.up)];
  }

  // An edge, curved where it is part of a rim.
  edge(mesh, places, [i, j]) {
    if (!mesh.smooth || !mesh.rims[i] || !mesh.rims[j]) return [places[i], places[j]];
    const chord = minus(mesh.points[j], mesh.points[i]), scale = this.base * this.zoom / this.size;
    const [from, to] = [i, j].map(k => {
      const tangent = unit(mesh.rims[k].direction) || chord;
      const length = Math.hypot(...chord) * Math.sign(dot(tangent, chord));
      return this.flat(times(tangent, length)).map(x => x * scale);
    });
    return [...cubic(places[i], places[j], from, to), places[j]];
  }

  solid(mesh, places, colour, { alpha, line, faint, move }) {
    const area = ([i, j, k]) => (places[j][0] - places[i][0]) * (places[k][1] - places[i][1]) -
      (places[j][1] - places[i][1]) * (places[k][0] - places[i][0]);
    let front = mesh.triangles.map(t => area(t) < 0);
    if (!front.includes(true)) front = front.map(() => true); // flat, seen from its back
    const shown = side => side.faces.length === 0 || side.faces.some(f => front[f]);
    const draw = ({ ends }, options) => this.stroke(this.edge(mesh, places, ends), colour, options);
    const strokes = (sides, options) => sides.forEach(side => draw(side, options));
    const sharp = mesh.sides.filter(s => s.sharp);
    const border = mesh.smooth ? this.curve(mesh, places, move) : outline(places);
    if (!faint) strokes(sharp.filter(s => !shown(s)), { ...line, width: 1, alpha: 0.35 });
    this.shade(mesh, places, front, border, colour, faint ? 0.1 : alpha);
    strokes(sharp.filter(shown), { ...line, width: 1.2, alpha: line.alpha * 0.8 });
    this.stroke(border, colour, { ...line, closed: true });
  }

  // The triangles in front, opaque on a sheet of their own: so no internal_edges show when the sheet is laid over translucently.
  shade(mesh, places, front, border, colour, alpha) {
    const paper = this.sheet.getContext("2d"), { ratio } = this;
    const dark = parseInt(this.colour("paper").slice(1, 3), 16) < 128;
    paper.setTransform(ratio, 0, 0, ratio, 0, 0);
    paper.clearRect(0, 0, this.width, this.height);
    paper.fillStyle = mix(this.colour("paper"), this.colour(colour), 0.5);
    if (this.path(paper, border, true)) paper.fill();
    const lit = normal => Math.max(0, LIGHT[0] * dot(normal, this.right) + LIGHT[1] * dot(normal, this.up) +
      LIGHT[2] * dot(normal, this.toward));
    const shadeOf = t => mix(this.colour("paper"), this.colour(colour), dark ? 0.2 + 0.6 * t : 0.85 - 0.6 * t);
    mesh.triangles.forEach((t, f) => {
      if (!front[f] || !mesh.normals[f]) return;
      const chain = t.map(i => places[i]);
      const corners = mesh.corners && mesh.corners[f].map(lit);
      const style = corners ? blend(paper, chain, corners, shadeOf) : shadeOf(lit(mesh.normals[f]));
      Object.assign(paper, { fillStyle: style, strokeStyle: style, lineWidth: 1 });
      if (!this.path(paper, chain, true)) return;
      paper.fill();
      paper.stroke();
    });
    this.paper.save();
    this.paper.globalAlpha = alpha;
    this.paper.drawImage(this.sheet, 0, 0, this.width, this.height);
    this.paper.restore();
  }

  // A half-space: its border and, in 2D, the side that it fills; in 3D a disc of the border.
  halfSpace({ point, normal }, colour, faint) {
    const middle = this.dim === 3 ? this.center : this.middle();
    const foot = add(middle, normal, -dot(minus(middle, point), normal));
    if (this.dim === 3) return this.disc(foot, normal, colour, { radius: this.radius * this.size * 0.9, alpha: 0.25 });
    const span = this.length(4 * (this.width + this.height)), tangent = [-normal[1], normal[0], 0];
    const [p, q] = [add(foot, tangent, span), add(foot, tangent, -span)];
    const area = [p, q, add(q, normal, -span), add(p, normal, -span)];
    this.fillArea(area.map(x => this.at(x)), colour, faint ? 0.06 : 0.16);
    this.line(p, q, colour, { width: faint ? 1.2 : 2, alpha: faint ? 0.5 : 1 });
  }

  // The points x with d·(x - p) = 0: in 2D all of the line, in 3D a disc about the point of it nearest to `near`.
  across(p, d, colour, { near = this.center, alpha = 0.1, dash = [7, 5], width = 2, radius = 0.6 } = {}) {
    if (this.dim === 3) {
      const foot = add(near, d, -dot(minus(near, p), d));
      return this.disc(foot, d, colour, { radius: this.radius * this.size * radius, alpha, dash });
    }
    const middle = this.middle(), foot = add(middle, d, -dot(minus(middle, p), d));
    const span = this.length(this.width + this.height), tangent = [-d[1], d[0], 0];
    this.line(add(foot, tangent, span), add(foot, tangent, -span), colour, { dash, width });
  }

  disc(center, normal, colour, { radius, alpha = 0.1, dash = [] }) {
    const e = perpendicular(normal), f = cross(normal, e), chain = [];
    for (let k = 0; k < 64; k++) {
      const t = k * Math.PI / 32;
      chain.push(this.at(add(add(center, e, radius * Math.cos(t)), f, radius * Math.sin(t))));
    }
    this.fillArea(chain, colour, alpha);
    this.stroke(chain, colour, { width: 1.2, alpha: 0.7, closed: true, dash });
  }

  // In 2D a grid with its numbers, in 3D the three axes in a corner: what the recorded numbers can be found by.
  measures() {
    if (this.dim === 3) return this.triad();
    const pixels = this.base * this.zoom / this.size, rough = 64 / pixels;
    const power = Math.pow(10, Math.floor(Math.log10(rough)));
    const step = power * ([1, 2, 5].find(k => k * power >= rough) || 10), middle = this.middle();
    [0, 1].forEach(axis => {
      const half = ([this.width, this.height][axis] / 2 + this.lift) / pixels;
      const first = Math.ceil((middle[axis] - half) / step);
      if (!(Math.abs(first) < 1e13) || !(step > 0)) return; // finer than doubles are
      for (let k = first; k * step <= middle[axis] + half; k++) {
        const p = [...middle];
        p[axis] = k * step;
        const at = this.at(p)[axis], ends = axis === 0 ? [[at, 0], [at, this.height]] : [[0, at], [this.width, at]];
        this.stroke(ends, "line", { width: 1, alpha: k === 0 ? 1 : 0.55 });
        const digits = 2 + Math.floor(Math.log10(Math.max(1, Math.abs(k))));
        if (axis === 0) this.text([at, this.height - 7], decimal(k * step, digits), "c", SMALL);
        else this.text([7, at + 4], decimal(k * step, digits), "c", { ...SMALL, align: "left" });
      }
    });
  }

  triad() {
    const foot = [34, this.height - 34];
    ["x", "y", "z"].forEach((name, i) => {
      const tip = [foot[0] + 20 * this.right[i], foot[1] - 20 * this.up[i]];
      this.stroke([foot, tip], "c", { width: 1.5, alpha: 0.8 });
      this.text([foot[0] + 28 * this.right[i], foot[1] - 28 * this.up[i] + 4], name, "c", SMALL);
    });
  }

  origin() {
    const [x, y] = this.at([0, 0, 0]);
    for (const [colour, width] of [["paper", 6], ["ink", 2.5]]) {
      this.stroke([[x - 9, y], [x + 9, y]], colour, { width });
      this.stroke([[x, y - 9], [x, y + 9]], colour, { width });
    }
    this.text([x, y], "0", "ink", { move: [12, -9] });
  }
}
