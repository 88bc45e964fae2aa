// All bodies at one time, as they are drawn and pointed at.

const POSE = 7; // numbers of a body here: place 3, quaternion 4 with w first

class Scene {
  constructor(tape, shapes) {
    Object.assign(this, { tape, shapes, t: 0, chosen: -1, trails: true, reds: 0, cell: 1 });
    this.poses = new Float64Array(tape.count * POSE);
    this.flags = new Uint8Array(tape.count);
    this.there = new Uint8Array(tape.count);
    this.pose = new Float64Array(POSE);
    this.at(0);
    this.walls = this.findWalls();
  }

  shape(i) {
    return this.shapes.own[this.tape.shapes[i]];
  }

  at(t) {
    const { tape, pose, poses, flags, there } = this, { center, size } = tape;
    this.t = t;
    this.reds = 0;
    for (let i = 0; i < tape.count; i++) {
      const red = tape.red(i, t);
      flags[i] = tape.types[i] | (red ? RED : 0) | (i === this.chosen ? CHOSEN : 0);
      there[i] = tape.pose(i, t, pose) ? 1 : 0;
      for (let k = 0; k < POSE; k++) poses[i * POSE + k] = k < 3 ? (pose[k] - center[k]) / size : pose[k];
      if (red) this.reds++;
    }
    const { missed, missedTimes, flash } = tape;
    this.missing = missed.slice(after(missedTimes, t - 2 * flash), tape.reached(missedTimes, t));
    for (const { a, b } of this.missing) {
      flags[a] |= MISSED;
      flags[b] |= MISSED;
    }
  }

  place(i) {
    return [...this.poses.subarray(i * POSE, i * POSE + 3)];
  }

  // The middle of the shape of body i.
  middle(i) {
    const move = turned(this.poses, i * POSE + 3, this.shape(i).middle);
    return add(this.place(i), move, 1 / this.tape.size);
  }

  // Large bodies that do not move, at the border of the view: transparent from outside.
  findWalls() {
    const { tape } = this, { half } = tape, walls = [];
    for (let i = 0; i < tape.count && tape.dim === 3; i++) {
      if (TYPES[tape.types[i]] !== "static" || !this.there[i] || this.shape(i).radius < 0.35) continue;
      const middle = this.middle(i);
      if (middle.some((x, axis) => Math.abs(x) > 0.9 * half[axis])) walls.push(i);
    }
    return walls;
  }

  // Marks the walls that stand between the eye and the bodies.
  hideWalls(eye) {
    const { half } = this.tape, inside = [[0, 0, 0]];
    for (let i = 0; i < 8; i++) inside.push(half.map((x, axis) => (i >> axis & 1 ? 0.7 : -0.7) * x));
    for (const i of this.walls) {
      const hides = inside.some(p => this.meets(i, eye.place, minus(p, eye.place)) < 1);
      this.flags[i] = hides ? this.flags[i] | GHOST : this.flags[i] & ~GHOST;
    }
  }

  // Marks the contacts before which a body stands; of very many none, for that would take too long.
  hide(eye, contacts) {
    const { count } = this.tape, [ex, ey, ez] = eye.place, solid = [];
    if (count * contacts.length > 3e5) return;
    for (let i = 0; i < count; i++) {
      if (this.there[i] && !(this.flags[i] & GHOST) && (this.flags[i] & 3) !== 3) solid.push(i);
    }
    const balls = new Float64Array(solid.length * 4); // about each body, seen from the eye: middle and radius
    solid.forEach((i, k) => balls.set([...minus(this.middle(i), eye.place), this.shape(i).radius], 4 * k));
    for (const contact of contacts) {
      const [px, py, pz] = contact.place, a = px - ex, b = py - ey, c = pz - ez, long = Math.hypot(a, b, c);
      const x = a / long, y = b / long, z = c / long;
      contact.hidden = false;
      for (let k = 0, at = 0; at < balls.length && !contact.hidden; k++, at += 4) {
        const u = balls[at], v = balls[at + 1], w = balls[at + 2], radius = balls[at + 3];
        const depth = u * x + v * y + w * z;
        if (depth - radius > long || u * u + v * v + w * w - depth * depth > radius * radius) continue;
        contact.hidden = this.meets(solid[k], eye.place, [x, y, z]) < long - 0.05 * radius;
      }
    }
  }

  // In 2D, how far below the others body i lies: from 0 to 1, those that are fixed are the lowest.
  depth(i) {
    return (1 - i / this.tape.count + ((this.flags[i] & 3) === 2 ? 1 : 0)) / 2;
  }

  // The bodies of each mesh for the painter: the solid ones from the front on, the translucent from the back.
  fill(groups, out) {
    const { poses, flags, there, tape } = this, flat = tape.dim === 2, { size } = tape;
    for (const group of groups) {
      const last = group.from + group.bodies.length - 1;
      group.solids = group.clear = 0;
      for (const i of group.bodies) {
        if (!there[i]) continue;
        const clear = (flags[i] & 3) === 3 || flags[i] & GHOST, shape = this.shape(i), p = i * POSE;
        const at = (clear ? last - group.clear++ : group.from + group.solids++) * INSTANCE, { middle, half } = shape;
        const off = middle[0] || middle[1] || middle[2] ? turned(poses, p + 3, middle) : middle;
        for (let axis = 0; axis < 3; axis++) {
          out[at + axis] = poses[p + axis] + off[axis] / size;
          out[at + 4 + axis] = poses[p + 4 + axis];
          out[at + 8 + axis] = half[axis];
        }
        if (flat) out[at + 2] = 1 - this.depth(i);
        out[at + 3] = flags[i];
        out[at + 7] = poses[p + 3];
      }
    }
  }

  // ---- The visible body at a place
  // How far along the ray body i is met, in lengths of the direction; Infinity where it is not.
  meets(i, origin, direction) {
    const shape = this.shape(i), p = i * POSE, { corners } = this.shapes.meshes[shape.mesh];
    const q = [this.poses[p + 3], -this.poses[p + 4], -this.poses[p + 5], -this.poses[p + 6]];
    const own = v => turned(q, 0, v).map((x, axis) => x / shape.half[axis]);
    const o = own(minus(origin, this.middle(i))), d = own(direction);
    let best = Infinity, from = 0, to = Infinity; // where the ray is in the box about the mesh
    for (let axis = 0; axis < 3; axis++) {
      const u = (-1 - o[axis]) / d[axis], v = (1 - o[axis]) / d[axis];
      if (d[axis] === 0 && Math.abs(o[axis]) > 1.001) return best;
      if (d[axis] !== 0) [from, to] = [Math.max(from, Math.min(u, v)), Math.min(to, Math.max(u, v))];
    }
    if (from > to * 1.001) return best;
    for (let k = 0; k < corners.length; k += 3 * CORNER) {
      const [a, b, c] = [0, 1, 2].map(j => [...corners.subarray(k + j * CORNER, k + j * CORNER + 3)]);
      const e = minus(b, a), f = minus(c, a), n = cross(d, f), area = dot(e, n);
      if (Math.abs(area) < 1e-12) continue;
      const s = minus(o, a), u = dot(s, n) / area, m = cross(s, e), v = dot(d, m) / area, t = dot(f, m) / area;
      if (u >= 0 && v >= 0 && u + v <= 1 && t > 0 && t < best) best = t;
    }
    return best;
  }

  // The body at a pixel of the picture, the first that is met; else the nearest within reach, else -1.
  pick(eye, x, y, limit) {
    const [origin, direction] = eye.ray(x, y);
    let best = -1, first = Infinity, near = -1, gap = limit;
    for (let i = 0; i < this.tape.count; i++) {
      if (!this.there[i] || this.flags[i] & GHOST) continue;
      const middle = this.middle(i), to = minus(middle, origin), depth = dot(to, direction), seen = eye.at(middle);
      if (!seen || depth < 0) continue;
      if (dot(to, to) - depth * depth <= 4 * this.shape(i).radius ** 2) {
        let t = this.meets(i, origin, direction);
        if (this.tape.dim === 2 && t < Infinity) t = this.depth(i);
        if (t < first) [best, first] = [i, t];
      }
      const distance = Math.hypot(seen[0] - x, seen[1] - y);
      if (distance < gap) [near, gap] = [i, distance];
    }
    return best >= 0 ? best : near;
  }
}
