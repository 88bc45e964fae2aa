// The camera of a run. In 3D an eye that goes around a target, in 2D a sheet that is moved and zoomed.
// All places are the inner ones of the tape.

const OPENING = Math.tan(15 * Math.PI / 180); // half the height of the picture, at distance 1
const MOST_ZOOM = 2000, LEAST_ZOOM = 0.1;

class Eye {
  // `changed` is called when it has moved; `pick(x, y, limit)` gives the body there, or -1.
  constructor(canvas, tape, { changed, pick, over }) {
    Object.assign(this, { canvas, dim: tape.dim, half: tape.half, changed, nearest: pick, picked: over });
    this.width = this.height = 1;
    this.follows = false;
    this.start();
  }

  start() {
    Object.assign(this, { yaw: 0.6, pitch: 0.32, zoom: 1, target: [0, 0, 0] });
  }

  reset() {
    this.start();
    this.follows = false;
    this.changed();
  }

  // For a canvas of this size: how far away, or how large, all that is to be seen fills it.
  fit(width, height) {
    Object.assign(this, { width, height });
    const margin = Math.max(8, Math.min(24, width / 24)), half = [width / 2 - margin, height / 2 - margin];
    this.base = Math.min(half[0] / (this.half[0] || 1e-3), half[1] / (this.half[1] || 1e-3));
    const { yaw, pitch } = this;
    Object.assign(this, { yaw: 0.6, pitch: 0.32, lift: 0 });
    this.updateAxes();
    const foot = width < 600 ? 60 / height : 0;
    if (this.dim === 3) this.fitBox(half.map(x => OPENING * x / (height / 2)), OPENING * foot);
    Object.assign(this, { yaw, pitch });
  }

  // The distance from which all corners are seen, and the lift of the picture that allows the least; `foot` is left for
  // the buttons below.
  fitBox(opening, foot) {
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map(i => {
      const p = this.half.map((x, axis) => (i >> axis & 1 ? x : -x));
      return [this.right, this.up, this.toward].map(axis => dot(p, axis));
    });
    const wide = Math.max(...corners.map(([x, , z]) => z + Math.abs(x) / opening[0]));
    let least = Infinity; // where the width decides, the lift that leaves as much above as below
    for (let k = -20; k <= 20; k++) {
      const lift = k * 0.02 * opening[1];
      const tall = Math.max(...corners.map(([, y, z]) => z + Math.max(y / (opening[1] - lift),
        -y / (opening[1] + lift - foot))));
      if (tall >= least) continue;
      least = tall;
      Object.assign(this, { fitDistance: Math.max(wide, tall), lift: lift / OPENING });
    }
  }

  // The axes of the picture for how it is turned, and how far the eye is from the target.
  updateAxes() {
    const { yaw, pitch } = this, flat = this.dim === 2;
    const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
    this.right = flat ? [1, 0, 0] : [-sy, cy, 0];
    this.up = flat ? [0, 1, 0] : [-sp * cy, -sp * sy, cp];
    this.toward = flat ? [0, 0, 1] : [cp * cy, cp * sy, sp];
    this.distance = flat ? 10 : this.fitDistance / this.zoom;
    this.place = add(this.target, this.toward, this.distance);
  }

  // Pixels of a length 1 at the target.
  get scale() {
    return this.dim === 2 ? this.base * this.zoom : this.height / 2 / OPENING / this.distance;
  }

  // The target in the picture, from the top.
  get middle() {
    return this.height / 2 * (1 - this.lift);
  }

  // The matrix for places, by columns, as WebGL wants it.
  matrix() {
    const { right, up, toward, target, distance } = this, flat = this.dim === 2;
    const [sx, sy] = flat ? [2 * this.scale / this.width, 2 * this.scale / this.height] :
      [this.height / this.width / OPENING, 1 / OPENING];
    const near = flat ? 0 : distance * 0.02, back = distance + 60;
    // z of the picture and w, each a number times the distance from the eye plus a number
    const [z1, z0, w1, w0] = flat ? [2 / back, -1, 0, 1] :
      [(back + near) / (back - near), -2 * back * near / (back - near), 1, 0];
    const away = distance + dot(target, toward), out = new Float32Array(16);
    for (let i = 0; i < 3; i++) {
      out.set([sx * right[i], sy * up[i] - this.lift * w1 * toward[i], -z1 * toward[i], -w1 * toward[i]], 4 * i);
    }
    out.set([-sx * dot(target, right), this.lift * w1 * away - sy * dot(target, up), z1 * away + z0, w1 * away + w0],
      12);
    return out;
  }

  // The pixel of a place, and the pixels of a length 1 there. Null behind the eye.
  at(p) {
    const d = minus(p, this.target), depth = this.distance - dot(d, this.toward);
    if (this.dim === 3 && depth < this.distance * 0.02) return null;
    const scale = this.dim === 2 ? this.scale : this.height / 2 / OPENING / depth;
    return [this.width / 2 + scale * dot(d, this.right), this.middle - scale * dot(d, this.up), scale];
  }

  // The ray seen at a pixel: [origin, direction].
  ray(x, y) {
    const { scale } = this, p = add(add(this.target, this.right, (x - this.width / 2) / scale), this.up,
      (this.middle - y) / scale);
    return this.dim === 2 ? [add(p, this.toward, 5), times(this.toward, -1)] : [this.place, unit(minus(p, this.place))];
  }

  // ---- The actions of gestures
  rotate(dx, dy) {
    this.yaw -= dx * 0.008;
    this.pitch = Math.min(1.55, Math.max(-1.55, this.pitch + dy * 0.008));
    this.changed();
  }

  move(dx, dy) {
    const { scale } = this;
    this.follows = false;
    this.target = add(add(this.target, this.right, -dx / scale), this.up, dy / scale);
    this.changed();
  }

  // Zooms about a place of the canvas, which stays where it is.
  zoomBy(factor, x = this.width / 2, y = this.middle) {
    const before = 1 / this.scale;
    this.zoom = Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, this.zoom * factor));
    this.updateAxes();
    const change = this.follows ? 0 : before - 1 / this.scale;
    this.target = add(add(this.target, this.right, (x - this.width / 2) * change), this.up,
      (this.middle - y) * change);
    this.changed();
  }

  // ---- As part of the address of the page
  get words() {
    const short = x => String(Number(x.toPrecision(6)));
    return [this.yaw, this.pitch, this.zoom, ...this.target].map(short).join();
  }

  set words(text) {
    const list = text.split(",").map(Number);
    if (list.length !== 6 || !list.every(isNumber)) return;
    [this.yaw, this.pitch] = [list[0], Math.min(1.55, Math.max(-1.55, list[1]))];
    this.zoom = Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, list[2]));
    this.target = list.slice(3);
  }
}

const WALK = { a: [24, 0], d: [-24, 0], w: [0, 24], s: [0, -24] };

// Beside what all views know, a click or a tap chooses what is there, and four letters move the view.
class Hand extends Gestures {
  constructor(eye, chosen) {
    super(eye);
    this.chosen = chosen;
  }

  pointerdown(event) {
    this.moved = this.down.size ? Infinity : 0; // two fingers choose nothing
    this.from = this.place(event);
    super.pointerdown(event);
  }

  pointermove(event) {
    const [x, y] = this.place(event);
    if (this.down.size) this.moved = Math.max(this.moved, Math.hypot(x - this.from[0], y - this.from[1]));
    super.pointermove(event);
  }

  keydown(event) {
    const step = WALK[event.key.toLowerCase()];
    if (step && !event.ctrlKey && !event.metaKey && !event.altKey) this.view.move(...step);
    else super.keydown(event);
  }

  pointerup(event) {
    super.pointerup(event);
    if (this.moved < 7 && event.button === 0) this.chosen(...this.place(event), event.pointerType === "touch" ? 24 : 6);
  }
}
