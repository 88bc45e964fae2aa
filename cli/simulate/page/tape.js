// The recording, packed for playing: where every body is at any time, exactly as recorded, and what has happened until
// then. Nothing is computed that it does not contain.

const KEY = 14; // numbers of a key: t, position 3, quaternion 4 (w first), velocity 3, angular velocity 3
const TYPES = ["dynamic", "kinematic", "static", "sensor"];

// A key as recorded, as one of 3D, its quaternion of length 1.
function unpack(key, dim, out, at) {
  const flat = dim === 2, [t] = key, q = flat ? [key[3], 0, 0, key[4]] : key.slice(4, 8);
  const most = Math.max(...q.map(Math.abs)) || 1, turn = q.map(x => x / most), length = Math.hypot(...turn) || 1;
  const place = flat ? [key[1], key[2], 0] : key.slice(1, 4);
  const speeds = flat ? [key[5], key[6], 0, 0, 0, key[7]] : key.slice(8, 14);
  out.set([t, ...place, ...turn.map(x => x / length), ...speeds], at);
}

// The first index of a sorted list whose value is beyond t.
function after(list, t) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] > t) high = middle;
    else low = middle + 1;
  }
  return low;
}

class Tape {
  constructor(story) {
    const { bodies, dim, dt, steps } = story;
    Object.assign(this, { dim, dt, steps, end: dt * steps || dt, count: bodies.length });
    this.names = bodies.map((body, i) => body.name || "body " + i);
    this.types = bodies.map(body => TYPES.indexOf(body.type));
    this.shapes = bodies.map(body => body.shape);
    this.pack(bodies);
    this.readEvents(story);
    this.readView(story.view);
    this.trail = Math.min(1, this.end / 5); // so much of the path of a body is drawn
    this.flash = Math.min(0.6, this.end / 10); // so long is a contact seen
  }

  // All keys one after the other, those of body i from first[i] to first[i + 1]; and all times in collision.
  pack(bodies) {
    const total = list => bodies.reduce((sum, body) => sum + body[list].length, 0);
    this.keys = new Float64Array(total("keys") * KEY);
    this.first = new Int32Array(this.count + 1);
    this.reds = new Float64Array(total("red") * 2);
    this.redFirst = new Int32Array(this.count + 1);
    let at = 0, red = 0;
    bodies.forEach((body, i) => {
      for (const key of body.keys) unpack(key, this.dim, this.keys, at++ * KEY);
      for (const span of body.red) this.reds.set(span, 2 * red++);
      this.first[i + 1] = at;
      this.redFirst[i + 1] = red;
    });
    this.cursor = this.first.slice(0, this.count); // the key in force at the last query
  }

  // A contact without a known place is counted, and shown nowhere.
  readEvents({ contacts, missed }) {
    const flat = this.dim === 2, point = (list, at) => [list[at], list[at + 1], flat ? 0 : list[at + 2]];
    this.contacts = contacts.map(c => ({ t: c[0], a: c[1], b: c[2], at: c.length > 3 ? point(c, 3) : null,
      normal: c.length > 3 ? point(c, flat ? 5 : 6) : null }));
    this.contactTimes = Float64Array.from(contacts, c => c[0]);
    this.missed = missed.map(([t, a, b]) => ({ t, a, b })).sort((m, n) => m.t - n.t);
    this.missedTimes = Float64Array.from(this.missed, m => m.t);
  }

  // The first view. Inside, places are moved and scaled to size 1 about 0, so that all sizes are drawn alike.
  readView(view) {
    const low = vector(view.min), high = vector(view.max);
    this.center = low.map((x, i) => x / 2 + high[i] / 2);
    const half = high.map((x, i) => x / 2 - low[i] / 2);
    this.size = Math.max(...half) || 1;
    this.half = half.map(x => x / this.size);
  }

  inner(p) {
    return [(p[0] - this.center[0]) / this.size, (p[1] - this.center[1]) / this.size,
      (p[2] - this.center[2]) / this.size];
  }

  outer(p) {
    return add(this.center, p, this.size);
  }

  // The index of the key of body i in force at time t; -1 where there is none.
  key(i, t) {
    const from = this.first[i], to = this.first[i + 1], { keys } = this;
    if (from === to) return -1;
    let k = this.cursor[i];
    while (k + 1 < to && keys[(k + 1) * KEY] <= t) k++;
    while (k > from && keys[k * KEY] > t) k--;
    this.cursor[i] = k;
    return k * KEY;
  }

  // The place (3) and the quaternion (4, w first) of body i at time t; false where it has none.
  pose(i, t, out) {
    const k = this.key(i, t), { keys } = this;
    if (k < 0) return false;
    const dt = Math.max(0, t - keys[k]);
    for (let axis = 0; axis < 3; axis++) out[axis] = keys[k + 1 + axis] + dt * keys[k + 8 + axis];
    const x = keys[k + 11], y = keys[k + 12], z = keys[k + 13], speed = Math.sqrt(x * x + y * y + z * z);
    const w0 = keys[k + 4], x0 = keys[k + 5], y0 = keys[k + 6], z0 = keys[k + 7];
    if (speed === 0) {
      [out[3], out[4], out[5], out[6]] = [w0, x0, y0, z0];
      return true;
    }
    const c = Math.cos(speed * dt / 2), s = Math.sin(speed * dt / 2) / speed, a = s * x, b = s * y, d = s * z;
    out[3] = c * w0 - a * x0 - b * y0 - d * z0;
    out[4] = c * x0 + a * w0 + b * z0 - d * y0;
    out[5] = c * y0 - a * z0 + b * w0 + d * x0;
    out[6] = c * z0 + a * y0 - b * x0 + d * w0;
    return true;
  }

  // Whether body i is in collision at time t.
  red(i, t) {
    for (let k = this.redFirst[i]; k < this.redFirst[i + 1] && this.reds[2 * k] <= t; k++) {
      if (t <= this.reds[2 * k + 1]) return true;
    }
    return false;
  }

  // How many bodies are in collision at some time of each of so many equal parts of the run.
  crowd(parts) {
    const change = new Int32Array(parts + 1);
    const part = t => Math.max(0, Math.min(parts - 1, Math.floor(t / this.end * parts)));
    for (let i = 0; i < this.count; i++) {
      let until = -1; // a body counts once in a part
      for (let k = this.redFirst[i]; k < this.redFirst[i + 1]; k++) {
        const from = Math.max(until + 1, part(this.reds[2 * k])), to = part(this.reds[2 * k + 1]);
        if (to < from) continue;
        change[from]++;
        change[to + 1]--;
        until = to;
      }
    }
    let sum = 0;
    return Array.from(change.subarray(0, parts), x => (sum += x));
  }

  // Times are written with as many digits as a step needs.
  timeText(t) {
    const digits = Math.min(8, Math.max(2, 1 - Math.round(Math.log10(this.dt))));
    return this.end < 1e5 && this.dt > 1e-7 ? t.toFixed(digits) : decimal(t, 6);
  }

  // How many of the times are reached at time t; what is less than a rounding later counts.
  reached(times, t) {
    return after(times, t + this.dt * 1e-3);
  }
}

// A vector turned by a quaternion, w first, that begins at q[at].
function turned(q, at, v) {
  const w = q[at], x = q[at + 1], y = q[at + 2], z = q[at + 3];
  const a = 2 * (y * v[2] - z * v[1]), b = 2 * (z * v[0] - x * v[2]), c = 2 * (x * v[1] - y * v[0]);
  return [v[0] + w * a + y * c - z * b, v[1] + w * b + z * a - x * c, v[2] + w * c + x * b - y * a];
}
