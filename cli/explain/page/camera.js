// The camera of a view. Places are given as in the story; inside they are moved and scaled to size 1 about 0, so
// that pictures of 1e40 and of 1e-300 are drawn alike.

const BUTTONS = 56; // pixels at the bottom that the buttons of a view need
const MOST_ZOOM = 1e12, LEAST_ZOOM = 0.05; // beyond the most, doubles of size 1 would be seen to jump

class Camera {
  // `turn` {yaw, pitch, first} is shared by the views of a page; `changed` is called when a camera has moved.
  constructor(canvas, dim, turn, changed) {
    Object.assign(this, { canvas, dim, turn, changed, zoom: 1, pan: [0, 0], spots: [], bars: [] });
    this.center = [0, 0, 0];
    this.size = this.base = this.width = this.height = 1;
    this.lift = 0; // pixels by which the middle is above that of the canvas, for the buttons below
  }

  // The corner with the buttons: what lies in it is hidden.
  get corner() {
    const row = this.canvas.parentElement.querySelector(".zoom");
    return row ? [this.width - row.offsetWidth - 8, this.height - row.offsetHeight - 8] : [Infinity, Infinity];
  }

  // Chooses place and scale so that the points fill the canvas, or less of it by a factor.
  frame(points, margin = 1) {
    const { low, high } = bounds(points);
    this.center = low.map((x, i) => x / 2 + high[i] / 2);
    const half = high.map((x, i) => x / 2 - low[i] / 2);
    this.size = Math.max(...half) > 0 ? Math.max(...half) : 1;
    this.radius = points.reduce((r, p) => Math.max(r, Math.hypot(...this.inner(p))), 0) || 1;
    this.updateAxes();
    const extent = axis => points.reduce((most, p) => Math.max(most, Math.abs(dot(this.inner(p), axis))), 0);
    this.half = [this.right, this.up].map(axis => extent(axis) * margin);
  }

  inner(p) {
    return [(p[0] - this.center[0]) / this.size, (p[1] - this.center[1]) / this.size,
      (p[2] - this.center[2]) / this.size];
  }

  // Pixels for a length of `size` at which everything fits.
  fitting() {
    const { clientWidth: wide, clientHeight: tall } = this.canvas, margin = Math.min(56, wide / 7, tall / 6);
    this.lift = (BUTTONS - margin) / 2;
    const width = wide / 2 - margin, height = tall / 2 - margin - this.lift;
    const shapes = Math.min(width / Math.max(this.half[0], 1e-9), height / Math.max(this.half[1], 1e-9),
      Math.min(width, height) * 4);
    const half = [wide / 2 - 26, tall / 2 - 30];
    const most = ({ at, shift }) => Math.min(...[0, 1].map(i =>
      (half[i] - Math.sign(at[i]) * shift[i] - i * this.lift) / Math.abs(at[i])));
    const bars = this.bars.map(sides => Math.max(...sides.map(ends => Math.min(...ends.map(most)))));
    return Math.max(Math.min(shapes, ...bars), shapes * (this.dim === 3 ? 0.65 : 0.5));
  }

  // The axes of the picture for how it is turned.
  updateAxes() {
    const { yaw, pitch } = this.turn, flat = this.dim === 2;
    const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
    this.right = flat ? [1, 0, 0] : [-sy, cy, 0];
    this.up = flat ? [0, 1, 0] : [-sp * cy, -sp * sy, cp];
    this.toward = flat ? [0, 0, 1] : [cp * cy, cp * sy, sp];
  }

  at(p) {
    return this.place(this.inner(p));
  }

  place(q) {
    const scale = this.base * this.zoom;
    return [this.width / 2 + scale * (dot(q, this.right) - this.pan[0]),
      this.height / 2 - this.lift - scale * (dot(q, this.up) - this.pan[1])];
  }

  // A length of the story that is so many pixels here.
  length(pixels) {
    return pixels / (this.base * this.zoom) * this.size;
  }

  // The point of the story in the middle of the canvas, at the depth of the center.
  middle() {
    return add(add(this.center, this.right, this.pan[0] * this.size), this.up, this.pan[1] * this.size);
  }

  // ---- Points under the pointer
  spot(p, index) {
    this.spots.push([...this.at(p), index]);
  }

  nearest(x, y, limit) {
    let best = -1;
    for (const [u, v, index] of this.spots || []) {
      const distance = Math.hypot(u - x, v - y);
      if (distance < limit) [best, limit] = [index, distance];
    }
    return best;
  }

  // Zooms about a place of the canvas, which stays where it is.
  zoomBy(factor, x = this.width / 2, y = this.height / 2 - this.lift) {
    const zoom = Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, this.zoom * factor)), before = 1 / (this.base * this.zoom);
    const change = before - 1 / (this.base * zoom);
    this.pan[0] += (x - this.width / 2) * change;
    this.pan[1] -= (y - this.height / 2 + this.lift) * change;
    this.zoom = zoom;
    this.changed();
  }

  // Brings a place into the middle, a length about it into sight.
  focus(p, length) {
    const pixels = (this.dim === 3 ? 0.12 : 0.3) * Math.min(this.width, this.height), q = this.inner(p);
    const zoom = length > 0 ? pixels / (length / this.size * this.base) : 1000;
    this.zoom = Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, zoom));
    this.pan = [dot(q, this.right), dot(q, this.up)];
    this.changed();
  }

  move(dx, dy) {
    this.pan[0] -= dx / (this.base * this.zoom);
    this.pan[1] += dy / (this.base * this.zoom);
    this.changed();
  }

  rotate(dx, dy) {
    this.turn.yaw -= dx * 0.008;
    this.turn.pitch = Math.min(1.55, Math.max(-1.55, this.turn.pitch + dy * 0.008));
    this.changed();
  }

  reset() {
    Object.assign(this.turn, this.turn.first);
    this.zoom = 1;
    this.pan = [0, 0];
    this.changed();
  }
}
