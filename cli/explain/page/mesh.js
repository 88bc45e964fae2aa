// Convex sets made ready for drawing, and their outlines on the screen.

// What drawing a mesh needs beside its points: which triangles meet at an edge.
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
  return { points, triangles, sides: [...sides.values()], normals: faceNormals(points, triangles, mesh.smooth) };
}

// Of what is smooth those of the surface that the triangles stand for, so that slivers do not show.
function faceNormals(points, triangles, smooth) {
  const { low, high } = bounds(points), size = Math.max(...minus(high, low)) || 1;
  const near = points.map(p => times(minus(p, low), 1 / size));
  const own = triangles.map(([i, j, k]) => cross(minus(near[j], near[i]), minus(near[k], near[i])));
  if (!smooth) return own.map(unit);
  const sums = points.map(() => [0, 0, 0]);
  triangles.forEach((t, f) => t.forEach(i => { sums[i] = add(sums[i], own[f]); }));
  return triangles.map(t => unit(t.map(i => unit(sums[i]) || [0, 0, 0]).reduce((sum, n) => add(sum, n))));
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
