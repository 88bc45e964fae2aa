// Shapes made ready for drawing. Shapes that differ only in their extents along their own axes, as boxes of all sizes
// do, are one mesh within [-1,1]³, placed and scaled: so a thousand of them are drawn at once.

const CORNER = 10; // numbers of a corner: place 3, normal 3, distances from borders 3, whether of a curved surface
const ONE_SURFACE = 0.8; // faces whose normals have at least this cosine are of one curved surface
const CURVED = 0.91; // they have mostly this
const COPLANAR = 0.99999;

// The faces of a shape as rings of indices into its vertices; 2D outlines lie in z = 0.
function facesOf(shape) {
  if (!shape.outlines) return { points: shape.vertices.map(vector), rings: shape.faces };
  const points = [], rings = [];
  for (const ring of shape.outlines) {
    const turn = ring.reduce((sum, p, i) => {
      const q = ring[(i + 1) % ring.length];
      return sum + p[0] * q[1] - p[1] * q[0];
    }, 0);
    const own = split(turn < 0 ? [...ring].reverse() : ring, shape.outlines);
    rings.push(own.map((_, i) => points.length + i));
    points.push(...own.map(vector));
  }
  return { points, rings };
}

// A ring with the corners of other rings that lie on its edges: so pieces that meet share whole edges.
function split(ring, rings) {
  return ring.flatMap((p, k) => {
    const q = ring[(k + 1) % ring.length], [u, v] = [q[0] - p[0], q[1] - p[1]], length = Math.hypot(u, v), on = [];
    for (const [x, y] of rings.filter(other => other !== ring).flat()) {
      const position = ((x - p[0]) * u + (y - p[1]) * v) / length, aside = ((x - p[0]) * v - (y - p[1]) * u) / length;
      const least = 1e-9 * length, between = position > least && position < length - least;
      if (between && Math.abs(aside) < least) on.push([position, [x, y]]);
    }
    const found = on.sort((a, b) => a[0] - b[0]).filter(([at], i) => !i || at > on[i - 1][0]);
    return [p, ...found.map(([, place]) => place)];
  });
}

// The smallest box about points, as its middle and half extents; where it is flat it gets a thickness to be seen by.
function extents(points, least) {
  const { low, high } = bounds(points);
  return { middle: low.map((x, i) => x / 2 + high[i] / 2),
    half: high.map((x, i) => (x / 2 - low[i] / 2 > least / 100 ? x / 2 - low[i] / 2 : least)) };
}

const BOX = { points: [0, 1, 2, 3, 4, 5, 6, 7].map(i => [i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1]),
  rings: [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]] };
const SQUARE = { points: [[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], rings: [[0, 1, 2, 3]] };

// The number of the mesh of each shape, its middle, half extents and radius. And the meshes.
function prepareShapes(shapes, dim, size) {
  const known = new Map(), meshes = [];
  const own = shapes.map(shape => {
    let { points, rings } = facesOf(shape);
    const { middle, half } = extents(points, size * 0.004), faces = rings.filter(ring => ring.length > 2);
    if (faces.length) {
      points = points.map(p => p.map((x, i) => (x - middle[i]) / half[i]));
      const flat = dim === 3 && faces.length === 1; // it is seen from both sides
      rings = flat ? [faces[0], [...faces[0]].reverse()] : faces;
    } else {
      ({ points, rings } = dim === 2 ? SQUARE : BOX); // a point or a segment
    }
    const name = JSON.stringify([points.map(p => p.map(x => Math.round(x * 1e6))), rings]);
    if (!known.has(name)) {
      known.set(name, meshes.length);
      meshes.push(buildMesh(points, rings, half, dim));
    }
    const radius = Math.max(...points.map(p => Math.hypot(p[0] * half[0], p[1] * half[1], p[2] * half[2])));
    return { mesh: known.get(name), middle, half: half.map(x => x / size), radius: radius / size };
  });
  return { own, meshes };
}

// The normal of a ring of points, as long as its area is large.
function ringNormal(points, ring) {
  return ring.reduce((sum, i, k) => {
    const p = minus(points[i], points[ring[0]]), q = minus(points[ring[(k + 1) % ring.length]], points[ring[0]]);
    return add(sum, cross(p, q));
  }, [0, 0, 0]);
}

// The corners of the triangles of a mesh. Each face is a fan about its middle; a triangle of it knows how far its
// corners are from its border and from those beside it. Edges that are none of the solid's are no borders.
function buildMesh(points, faces, half, dim) {
  const real = points.map(p => p.map((x, i) => x * half[i])), own = faces.map(ring => ringNormal(points, ring));
  const normals = faces.map(ring => unit(ringNormal(real, ring))), bends = bendsOf(faces, points, normals);
  const curved = dim === 3 && isCurved(bends);
  const limit = curved ? ONE_SURFACE : COPLANAR;
  const normalAt = curved ? surface(points, faces, own, normals) : f => unit(own[f]);
  const isBorder = (i, j) => {
    const bend = bends.get(pairName(points, i, j));
    return bend === undefined || (bend < limit && dim === 3); // in 2D, edges that pieces share are inside
  };
  const out = [];
  faces.forEach((ring, f) => {
    const middle = times(ring.reduce((sum, i) => add(sum, real[i]), [0, 0, 0]), 1 / ring.length);
    const n = unit(own[f]) || [0, 0, 1], size = ring.length, at = k => ring[(k + size) % size];
    const directions = ring.map((i, k) => unit(minus(real[at(k + 1)], real[i])));
    const away = ring.map((i, k) => {
      const p = real[i], direction = directions[k];
      if (!direction || !isBorder(i, at(k + 1))) return () => 1;
      return q => Math.hypot(...add(minus(q, p), direction, -dot(minus(q, p), direction))) / Math.max(...half);
    });
    ring.forEach((i, k) => {
      const straight = l => l !== k && directions[l] && directions[k] && // it goes on as this one
        dot(directions[l], directions[k]) > 1 - 1e-9;
      const near = [k + size - 1, k, k + 1].map(l => (straight(l % size) ? () => 1 : away[l % size])), j = at(k + 1);
      const addCorner = (p, place, normal) =>
        out.push(...place, ...(normal || n), ...near.map(distance => distance(p)), curved ? 1 : 0);
      addCorner(real[i], points[i], normalAt(f, i));
      addCorner(real[j], points[j], normalAt(f, j));
      addCorner(middle, middle.map((x, axis) => x / half[axis]), n);
    });
  });
  return { corners: new Float32Array(out), count: out.length / CORNER };
}

// The normal of the curved surface that faces stand for, at a point of a face.
function surface(points, faces, own, normals) {
  const around = points.map(() => []);
  faces.forEach((ring, f) => ring.forEach(i => around[i].push(f)));
  return (f, i) => unit(around[i].filter(g => normals[f] && normals[g] && dot(normals[f], normals[g]) > ONE_SURFACE)
    .reduce((sum, g) => add(sum, own[g]), [0, 0, 0])) || unit(own[f]);
}

// By place: the rings of pieces that meet do not share the indices of their points.
function pairName(points, i, j) {
  const [p, q] = [i, j].map(k => points[k].map(x => Math.round(x * 1e6)).join());
  return p < q ? p + ";" + q : q + ";" + p;
}

// For each edge of two faces the cosine between their normals.
function bendsOf(faces, points, normals) {
  const seen = new Map(), bends = new Map();
  faces.forEach((ring, f) => ring.forEach((i, k) => {
    const name = pairName(points, i, ring[(k + 1) % ring.length]), other = seen.get(name);
    if (other === undefined) seen.set(name, f);
    else bends.set(name, normals[f] && normals[other] ? dot(normals[f], normals[other]) : 1);
  }));
  return bends;
}

// Whether faces stand for a curved surface: many edges bend little, and they are most, or alike in groups.
function isCurved(bends) {
  const list = [...bends.values()].filter(bend => bend < COPLANAR), small = list.filter(bend => bend > CURVED);
  const kinds = new Set(small.map(bend => Math.round(bend * 1e4))).size;
  return small.length > 11 && (small.length >= 3 * kinds || (small.length > 60 && small.length > list.length / 2));
}
