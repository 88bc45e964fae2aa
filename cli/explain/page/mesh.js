// Convex sets made ready for drawing, and their outlines on the screen.

// The data for drawing a mesh beside its points: which triangles meet at an edge.
function prepareMesh(mesh) {
  if (!mesh || mesh.kind === "plane") return mesh && preparePlane(mesh);
  const points = mesh.points.map(vector), triangles = mesh.triangles || [], sides = new Map();
  if (!points.length || !points.every(Boolean)) return null;
  const key = (i, j) => (i < j ? i + "," + j : j + "," + i);
  triangles.forEach((t, f) => {
    for (let k = 0; k < 3; k++) {
      const name = key(t[k], t[(k + 1) % 3]);
      if (!sides.has(name)) sides.set(name, { ends: [t[k], t[(k + 1) % 3]], faces: [], sharp: false });
      sides.get(name).faces.push(f);
    }
  });
  for (const [i, j] of mesh.edges || []) {
    if (!sides.has(key(i, j))) sides.set(key(i, j), { ends: [i, j], faces: [], sharp: true });
    sides.get(key(i, j)).sharp = true;
  }
  const own = crosses(points, triangles), smooth = Boolean(mesh.smooth);
  return { points, triangles, smooth, sides: [...sides.values()], normals: own.map(unit),
    ...(smooth ? { ...curved(points, triangles, own), rims: rims(points, [...sides.values()]) } : {}) };
}

// At points where two sharp edges pass into each other, as on the border of a cylinder's cap, the straightest two: the
// direction there, and the neighbours.
function rims(points, sides) {
  const ends = points.map(() => []);
  for (const { ends: [i, j] } of sides.filter(side => side.sharp)) {
    ends[i].push(j);
    ends[j].push(i);
  }
  return ends.map((list, i) => {
    const out = list.map(j => unit(minus(points[j], points[i])) || [0, 0, 0]);
    let best = null, least = -0.7;
    list.forEach((j, k) => list.slice(k + 1).forEach((other, l) => {
      const bend = dot(out[k], out[k + 1 + l]);
      if (bend < least) [least, best] = [bend, { direction: minus(points[other], points[j]), list: [j, other] }];
    }));
    return best;
  });
}

// The normals of a curved surface at the corners of its triangles, and at its points, where they are one.
function curved(points, triangles, own) {
  const corners = cornerNormals(points, triangles, own), at = points.map(() => undefined);
  triangles.forEach((t, f) => t.forEach((i, k) => {
    const n = corners[f][k];
    at[i] = at[i] === undefined || (at[i] && dot(at[i], n) > 0.999) ? n : null;
  }));
  return { corners, at };
}

// Normals of triangles, as long as their areas are large.
function crosses(points, triangles) {
  const { low, high } = bounds(points), size = Math.max(...minus(high, low)) || 1;
  const near = points.map(p => times(minus(p, low), 1 / size));
  return triangles.map(([i, j, k]) => cross(minus(near[j], near[i]), minus(near[k], near[i])));
}

const ONE_SURFACE = 0.75; // triangles whose normals have at least this cosine are of one curved surface

// The normals, at the three corners of each triangle, of the curved surface that the triangles stand for.
function cornerNormals(points, triangles, own) {
  const faces = points.map(() => []), units = own.map(unit);
  triangles.forEach((t, f) => t.forEach(i => faces[i].push(f)));
  return triangles.map((t, f) => t.map(i => {
    const near = faces[i].filter(g => !units[f] || !units[g] || dot(units[f], units[g]) > ONE_SURFACE);
    return unit(near.reduce((sum, g) => add(sum, own[g]), [0, 0, 0])) || units[f] || [0, 0, 1];
  }));
}

function preparePlane(mesh) {
  const point = vector(mesh.point), normal = unit(vector(mesh.normal));
  return point && normal ? { plane: true, point, normal, points: [] } : null;
}

// The outline of what is convex: the hull of its screen points.
function outline(points) {
  const sorted = [...points].sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  const half = list => {
    const chain = [];
    for (const r of list) {
      for (let n = chain.length; n > 1; n--) {
        const [p, q] = chain.slice(-2);
        if ((q[0] - p[0]) * (r[1] - p[1]) > (q[1] - p[1]) * (r[0] - p[0])) break;
        chain.pop();
      }
      chain.push(r);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

// The contour of the curved surface that a smooth mesh approximates, with its normals: on each edge whose ends face
// different sides, on the cubic that leaves both ends perpendicular to their normals.
function contour(mesh, toward, inner) {
  const found = [];
  mesh.triangles.forEach((t, f) => {
    const normals = mesh.corners[f], seen = normals.map(n => dot(n, toward));
    for (let k = 0; k < 3; k++) {
      const l = (k + 1) % 3;
      if (t[k] > t[l] || seen[k] > 0 === seen[l] > 0) continue; // the neighbour has it, or none
      const [p, q] = [inner(mesh.points[t[k]]), inner(mesh.points[t[l]])], edge = minus(q, p);
      const near = add(times(edge, 1 / 3), normals[k], -dot(edge, normals[k]) / 3);
      const last = add(times(edge, -1 / 3), normals[l], dot(edge, normals[l]) / 3);
      const s = seen[k] / (seen[k] - seen[l]), r = 1 - s;
      const chord = add(times(p, r * r * (r + 3 * s)), q, s * s * (s + 3 * r));
      const at = add(add(chord, near, 3 * r * r * s), last, 3 * r * s * s);
      found.push({ at, normal: add(times(normals[k], r), normals[l], s) });
    }
  });
  return found;
}

// A closed chain of screen points [x, y, u, v, i] as a curve: (u, v) is normal to it, NaN at corners; i is that of a
// point of the mesh. If `rim` has a curve from one of these to the next, it is used.
function rounded(chain, rim) {
  return chain.flatMap((p, k) => {
    const q = chain[(k + 1) % chain.length], known = p[4] >= 0 && q[4] >= 0 && rim(p[4], q[4]);
    if (known) return known.slice(0, -1);
    const chord = [q[0] - p[0], q[1] - p[1]], length = Math.hypot(...chord);
    const aligned = ([, , u, v]) => {
      const size = Math.hypot(u, v), t = (chord[1] * u - chord[0] * v) / length / size; // cosine to the chord
      return Math.abs(t) > 0.8 ? [Math.sign(t) * u / size * length, Math.sign(t) * v / size * length] : null;
    };
    const turn = n => (n ? [-n[1], n[0]] : chord);
    return length > 6 ? cubic(p, q, turn(aligned(p)), turn(aligned(q))) : [p];
  });
}

// From p on towards q, with these tangents there.
function cubic(p, q, from, to) {
  return [0, 0.25, 0.5, 0.75].map(t => [0, 1].map(axis => p[axis] * (1 + 2 * t) * (1 - t) ** 2 +
    q[axis] * t * t * (3 - 2 * t) + t * (1 - t) * (from[axis] * (1 - t) - to[axis] * t)));
}

// The part of a closed or open chain of screen points inside [0,w] x [0,h], a margin added.
function clip(chain, width, height) {
  const margin = 40;
  const sides = [[0, 1, -margin], [0, -1, -width - margin], [1, 1, -margin], [1, -1, -height - margin]];
  for (const [axis, sign, limit] of sides) {
    const next = [];
    chain.forEach((q, i) => {
      const p = chain[(i + chain.length - 1) % chain.length];
      const from = sign * p[axis] - limit, to = sign * q[axis] - limit;
      if (from < 0 !== to < 0) {
        const t = from / (from - to);
        next.push([p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])]);
      }
      if (to >= 0) next.push(q);
    });
    chain = next;
  }
  return chain;
}
