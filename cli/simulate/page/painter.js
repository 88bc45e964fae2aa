// The drawing with WebGL2: the backdrop, all bodies, and their paths.

const INSTANCE = 11; // numbers of a body in the card: place 3, what it is, quaternion 4, half extents 3

function program(gl, vertex, pixel) {
  const made = gl.createProgram();
  for (const [type, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, pixel]]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS) && !gl.isContextLost()) {
    throw new Error(gl.getProgramInfoLog(made) || "a program of the graphics card does not link");
  }
  const places = {};
  for (let k = gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS) || 0; k-- > 0;) {
    const { name } = gl.getActiveUniform(made, k);
    places[name.replace("[0]", "")] = gl.getUniformLocation(made, name);
  }
  return { made, places, input: name => gl.getAttribLocation(made, name) };
}

class Painter {
  constructor(gl, tape, shapes) {
    Object.assign(this, { gl, tape, shapes });
    this.solid = program(gl, SOLID_VERTEX, SOLID_PIXEL);
    this.path = program(gl, PATH_VERTEX, PATH_PIXEL);
    const backdrop = tape.dim === 2 ? buildMesh(SQUARE.points, SQUARE.rings, [1, 1, 1], 2) :
      buildMesh(BOX.points, BOX.rings, [1, 1, 1], 3);
    this.meshes = [...shapes.meshes, backdrop].map(mesh => ({ count: mesh.count, buffer: this.buffer(mesh.corners) }));
    this.order(shapes.own);
    this.paths(readPaths(tape));
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.CULL_FACE);
    gl.enable(gl.BLEND);
    gl.depthFunc(gl.LEQUAL);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  buffer(data) {
    const { gl } = this, made = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, made);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    return made;
  }

  // Bodies of the same mesh stand beside each other: for each mesh, where its bodies begin and end.
  order(own) {
    const { tape, meshes } = this, lists = meshes.map(() => []);
    tape.shapes.forEach((shape, i) => lists[own[shape].mesh].push(i));
    let from = 0;
    this.groups = lists.map((bodies, mesh) => {
      const group = { mesh, bodies, from, solids: 0, clear: 0 };
      from += bodies.length;
      return group;
    }).filter(group => group.bodies.length);
    this.instances = new Float32Array((from + 1) * INSTANCE); // the last one is the backdrop
    this.backdrop = { mesh: meshes.length - 1, from };
    this.stock = this.buffer(this.instances);
    this.inputs(this.solid);
  }

  inputs({ input }) {
    const { gl } = this;
    this.solids = gl.createVertexArray();
    gl.bindVertexArray(this.solids);
    for (const name of ["corner", "normal", "border", "place", "turn", "size"]) gl.enableVertexAttribArray(input(name));
    for (const name of ["place", "turn", "size"]) gl.vertexAttribDivisor(input(name), 1);
  }

  paths({ data, times }) {
    const { gl } = this, { input } = this.path;
    Object.assign(this, { strokes: this.buffer(data), strokeTimes: times });
    this.strip = this.buffer(new Float32Array([0, -1, 0, 1, 1, -1, 1, 1]));
    this.lines = gl.createVertexArray();
    gl.bindVertexArray(this.lines);
    for (const name of ["end", "from", "to", "when"]) gl.enableVertexAttribArray(input(name));
    for (const name of ["from", "to", "when"]) gl.vertexAttribDivisor(input(name), 1);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.strip);
    gl.vertexAttribPointer(input("end"), 2, gl.FLOAT, false, 0, 0);
  }

  // One picture. `scene.fill(group, instances)` fills in the places of the bodies of a group.
  draw(scene, eye, colours, ratio) {
    const { gl, tape } = this, flat = tape.dim === 2;
    scene.fill(this.groups, this.instances);
    this.placeBackdrop(eye);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.stock);
    gl.bufferData(gl.ARRAY_BUFFER, this.instances, gl.DYNAMIC_DRAW);
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.clearColor(...colours.paper, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const view = eye.matrix(), { places } = this.solid;
    gl.useProgram(this.solid.made);
    gl.bindVertexArray(this.solids);
    gl.uniformMatrix4fv(places.view, false, view);
    gl.uniform3fv(places.eye, eye.place);
    gl.uniform3fv(places.colours, COLOURS.flatMap(name => colours[name]));
    gl.uniform3fv(places.light, unit(add(add(times(eye.right, -0.4), eye.up, 0.55), eye.toward, 0.75)));
    gl.uniform2f(places.fog, Math.max(0, eye.distance - 0.6), 4.5);
    gl.uniform1f(places.ratio, ratio);
    gl.uniform1f(places.cell, scene.cell / tape.size);
    gl.uniform3fv(places.phase, tape.outer(flat ? eye.target : [0, 0, 0]).map(x => (x / scene.cell) % 1));
    gl.uniform1i(places.sheet, flat ? 1 : 0);
    gl.depthMask(false);
    gl.cullFace(flat ? gl.BACK : gl.FRONT);
    this.some(this.backdrop.mesh, this.backdrop.from, 1);
    gl.cullFace(gl.BACK);
    gl.depthMask(true);
    for (const { mesh, from, solids } of this.groups) this.some(mesh, from, solids);
    gl.depthMask(false);
    if (scene.trails) this.trails(view, scene.t, colours, ratio);
    gl.useProgram(this.solid.made);
    gl.bindVertexArray(this.solids);
    for (const { mesh, from, bodies, clear } of this.groups) this.some(mesh, from + bodies.length - clear, clear);
    gl.depthMask(true);
    gl.bindVertexArray(null);
  }

  // Bodies of a mesh, so many from that one on.
  some(mesh, from, count) {
    if (!count) return;
    const { gl } = this, { input } = this.solid, { buffer, count: corners } = this.meshes[mesh];
    const point = (name, size, stride, at) =>
      gl.vertexAttribPointer(input(name), size, gl.FLOAT, false, 4 * stride, 4 * at);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    point("corner", 3, CORNER, 0);
    point("normal", 3, CORNER, 3);
    point("border", 4, CORNER, 6);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.stock);
    point("place", 4, INSTANCE, from * INSTANCE);
    point("turn", 4, INSTANCE, from * INSTANCE + 4);
    point("size", 3, INSTANCE, from * INSTANCE + 8);
    gl.drawArraysInstanced(gl.TRIANGLES, 0, corners, count);
  }

  // In 3D the box of the first view; in 2D a sheet behind all that is seen.
  placeBackdrop(eye) {
    const { tape } = this, flat = tape.dim === 2, wide = [eye.width, eye.height].map(x => 0.6 * x / eye.scale);
    const size = flat ? [...wide, 1] : tape.half.map(x => Math.max(x, 1e-4) * 1.001);
    const [x, y] = flat ? eye.target : [0, 0];
    this.instances.set([x, y, flat ? -1 : 0, BACKDROP, 0, 0, 0, 1, ...size], this.backdrop.from * INSTANCE);
  }

  // The paths of the last moments, of all bodies at once.
  trails(view, t, colours, ratio) {
    const { gl, tape, strokeTimes } = this, { input, places, made } = this.path, begin = t - tape.trail;
    const first = after(strokeTimes, begin - tape.trail), count = after(strokeTimes, t) - first;
    if (count <= 0) return;
    gl.useProgram(made);
    gl.bindVertexArray(this.lines);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.strokes);
    for (const [name, size, at] of [["from", 3, 0], ["to", 3, 3], ["when", 2, 6]]) {
      gl.vertexAttribPointer(input(name), size, gl.FLOAT, false, 32, first * 32 + 4 * at);
    }
    gl.uniformMatrix4fv(places.view, false, view);
    gl.uniform2f(places.window, begin / tape.trail, t / tape.trail);
    gl.uniform2f(places.pixels, gl.drawingBufferWidth / 2, gl.drawingBufferHeight / 2);
    gl.uniform1f(places.wide, 0.8 * ratio);
    gl.uniform3fv(places.colour, colours.c);
    gl.uniform1f(places.strength, 0.8);
    gl.disable(gl.CULL_FACE);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
    gl.enable(gl.CULL_FACE);
  }
}

// The paths of all moving bodies as strokes [from 3, to 3, when 2], in the order of their beginnings; times are in
// units of the trail, and no stroke is longer than one: so those of a window lie together.
function readPaths(tape) {
  const strokes = [], { keys, first, trail, end } = tape;
  for (let i = 0; i < tape.count; i++) {
    for (let k = first[i]; k < first[i + 1]; k++) {
      const at = k * KEY, from = keys[at], to = k + 1 < first[i + 1] ? keys[at + KEY] : end;
      const v = keys.subarray(at + 8, at + 11), parts = Math.ceil((to - from) / trail - 1e-9);
      if (!v.some(x => x !== 0)) continue;
      const place = t => tape.inner([0, 1, 2].map(axis => keys[at + 1 + axis] + (t - from) * v[axis]));
      const step = (to - from) / parts;
      for (let part = 0; part < parts; part++) {
        const t = from + part * step;
        strokes.push([...place(t), ...place(t + step), t / trail, (t + step) / trail]);
      }
    }
  }
  strokes.sort((p, q) => p[6] - q[6]);
  const data = new Float32Array(strokes.length * 8);
  strokes.forEach((stroke, i) => data.set(stroke, 8 * i));
  return { data, times: Float64Array.from(strokes, stroke => stroke[6] * trail) };
}
